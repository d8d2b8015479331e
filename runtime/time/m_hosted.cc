// A vDSO stack for who has none, where there is a C library.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/time/time.h"

namespace {

//   | guard page | vDSO stack |
size_t PageSize() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// RoundUp rounds to a power of two.
uintptr_t RoundUp(uintptr_t value, uintptr_t to) {
  return (value + to - 1) & ~(to - 1);
}

}  // namespace

int runtime_attachAlloc(size_t size) {
  if (size == 0) size = RUNTIME_VDSO_STACK_DEFAULT;
  if (size < RUNTIME_VDSO_STACK_MIN || size > SIZE_MAX / 2) return -EINVAL;
  const size_t page = PageSize();
  const size_t usable = RoundUp(size, page);
  void* const mapping =
      mmap(nullptr, page + usable, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return -errno;
  if (mprotect(mapping, page, PROT_NONE) != 0) {
    const int error = errno;
    munmap(mapping, page + usable);
    return -error;
  }
  const int rc = runtime_attach(static_cast<char*>(mapping) + page, usable);
  if (rc != 0) munmap(mapping, page + usable);
  return rc;
}

void runtime_detachFree(void) {
  const runtime_M* const m = runtime_currentM();
  if (m->vdsoStackHi == 0) return;
  const size_t page = PageSize();
  const uintptr_t begin = m->vdsoStackLo - page;
  const uintptr_t end = RoundUp(m->vdsoStackHi, page);
  runtime_detach();
  munmap(reinterpret_cast<void*>(begin), end - begin);
}
