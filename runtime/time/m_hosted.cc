// An M with a stack of its own, where there is a C library.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/time/time.h"

namespace {

//   | guard page | vDSO stack ... | M |
//                                 ^ page boundary at the end
size_t PageSize() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// RoundUp rounds to a power of two.
uintptr_t RoundUp(uintptr_t value, uintptr_t to) {
  return (value + to - 1) & ~(to - 1);
}

constexpr size_t kMSize = 64;  // a cache line of its own
static_assert(sizeof(runtime_M) <= kMSize);

}  // namespace

int runtime_allocM(runtime_M** m, size_t size) {
  if (size == 0) size = RUNTIME_VDSO_STACK_DEFAULT;
  if (size < RUNTIME_VDSO_STACK_MIN || size > SIZE_MAX / 2) return -EINVAL;
  const size_t page = PageSize();
  const size_t usable = RoundUp(size + kMSize, page);
  void* const mapping =
      mmap(nullptr, page + usable, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return -errno;
  if (mprotect(mapping, page, PROT_NONE) != 0) {
    const int error = errno;
    munmap(mapping, page + usable);
    return -error;
  }
  char* const stack = static_cast<char*>(mapping) + page;
  auto* const result = reinterpret_cast<runtime_M*>(stack + usable - kMSize);
  const int rc = runtime_initM(result, stack, usable - kMSize);
  if (rc == 0) *m = result;
  return rc;
}

void runtime_freeM(runtime_M* m) {
  if (m == nullptr) return;
  const uintptr_t begin = m->vdsoStackLo - PageSize();
  munmap(reinterpret_cast<void*>(begin), m->vdsoStackHi + kMSize - begin);
}
