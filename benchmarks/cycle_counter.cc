#include "benchmarks/cycle_counter.h"

#include <setjmp.h>
#include <signal.h>

namespace runtime {
namespace {

sigjmp_buf after_fault;

void OnFault(int /*signal*/) { siglongjmp(after_fault, 1); }

}  // namespace

bool HaveCycleCounter() {
  struct sigaction before = {};
  struct sigaction action = {};
  action.sa_handler = OnFault;
  sigaction(SIGILL, &action, &before);
  const bool readable = sigsetjmp(after_fault, 1) == 0 && CycleCounter() != 0;
  sigaction(SIGILL, &before, nullptr);
  return readable;
}

}  // namespace runtime
