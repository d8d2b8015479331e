#include "runtime/sys/readable.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr uintptr_t kPage = 4096;  // the smallest of the four arches

// sizeof(sigset_t) in the kernel, on every arch.
constexpr uintptr_t kSigsetSize = 8;

// The kernel copies the signal set in before it looks at how, so an impossible
// how reads 8 bytes and changes nothing (kernel/signal.c, rt_sigprocmask).
bool IsReadable8(uintptr_t address) {
  constexpr intptr_t kNoHow = -1;
  return runtime_syscall(__NR_rt_sigprocmask, kNoHow,
                         static_cast<intptr_t>(address), 0,
                         kSigsetSize) == -EINVAL;
}

}  // namespace

bool IsReadable(uintptr_t start, uintptr_t end) {
  if (start >= end) return false;
  // Pages are readable as a whole, so the first 8 bytes of each will do.
  const uintptr_t last = (end - 1) & ~(kPage - 1);
  for (uintptr_t page = start & ~(kPage - 1);; page += kPage) {
    if (!IsReadable8(page)) return false;
    if (page == last) return true;
  }
}

}  // namespace runtime
