#include "runtime/sys/readable.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr uintptr_t kPage = 4096;  // the smallest of the four arches

// sizeof(sigset_t) in the kernel, on every arch.
constexpr intptr_t kSigsetSize = 8;

// ProbeRead has the kernel read 8 bytes. It copies the signal set in before it
// looks at how, so an impossible how changes nothing (kernel/signal.c,
// rt_sigprocmask): -EINVAL if it could read them, else -EFAULT.
intptr_t ProbeRead(uintptr_t address) {
  constexpr intptr_t kNoHow = -1;
  return runtime_syscall(__NR_rt_sigprocmask, kNoHow,
                         static_cast<intptr_t>(address), 0, kSigsetSize);
}

// ProbeWrite has the kernel write this thread's signal mask: 0 or -EFAULT.
// PlainSyscall, because it comes before anything is known of the vDSO.
intptr_t ProbeWrite(uintptr_t address) {
  return PlainSyscall(__NR_rt_sigprocmask, 0, 0, static_cast<intptr_t>(address),
                      kSigsetSize);
}

// KernelAnswers tells whether the kernel does what the probes ask. A sandbox
// that answers in its place cannot write; and no mask has SIGKILL in it, so a
// full one has not been written.
bool KernelAnswers() {
  uint64_t mask = ~uint64_t{0};
  return ProbeWrite(reinterpret_cast<uintptr_t>(&mask)) == 0 &&
         mask != ~uint64_t{0};
}

}  // namespace

bool IsReadable(uintptr_t start, uintptr_t end) {
  if (start >= end || !KernelAnswers()) return false;
  // Pages are readable as a whole, so any 8 bytes of each will do: the first of
  // the range's, as valgrind minds what lies before.
  const uintptr_t last = (end - 1) & ~(kPage - 1);
  for (uintptr_t at = start & ~uintptr_t{7};;) {
    if (ProbeRead(at) != -EINVAL) return false;
    at &= ~(kPage - 1);
    if (at == last) return true;
    at += kPage;
  }
}

bool IsWritable(void* address) {
  return KernelAnswers() &&
         ProbeWrite(reinterpret_cast<uintptr_t>(address)) == 0;
}

}  // namespace runtime
