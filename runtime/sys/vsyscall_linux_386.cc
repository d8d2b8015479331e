#include <asm/unistd.h>

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
  const uintptr_t int80 = reinterpret_cast<uintptr_t>(runtime_sysInt80);
  if (address == 0) address = int80;
  __atomic_store_n(&runtime_sysVsyscall, address, __ATOMIC_RELAXED);
  // Does it enter the kernel at all?
  if (runtime_syscall(__NR_gettid, 0, 0, 0, 0) !=
      PlainSyscall(__NR_gettid, 0, 0, 0, 0)) {
    __atomic_store_n(&runtime_sysVsyscall, int80, __ATOMIC_RELAXED);
  }
}

void CloseVsyscall() { seal.Close(); }

}  // namespace runtime
