#include "runtime/sys/seal.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/vsyscall.h"

#pragma GCC visibility push(hidden)
extern "C" char runtime_sysVsyscallScratch[8];
#pragma GCC visibility pop

namespace runtime {
namespace {

Seal seal(&runtime_sysVsyscall, runtime_sysVsyscallScratch);

}  // namespace

bool OpenVsyscall() {
  if (!seal.Open()) return false;
  StoreVsyscall(0);
  return true;
}

void StoreVsyscall(uintptr_t address) {
  if (address == 0) address = reinterpret_cast<uintptr_t>(runtime_sysInt80);
  __atomic_store_n(&runtime_sysVsyscall, address, __ATOMIC_RELAXED);
}

void CloseVsyscall() { seal.Close(); }

}  // namespace runtime
