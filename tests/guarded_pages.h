// Memory with nothing accessible on either side.

#ifndef TESTS_GUARDED_PAGES_H_
#define TESTS_GUARDED_PAGES_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace runtime {

// GuardedPages is zeroed memory of a given size that ends where inaccessible
// memory begins, so that a read one byte too far faults, and one 4 MiB too far
// as well. Where the kernel's pages are larger than 4096 bytes, reads before
// the start may go unnoticed.
class GuardedPages {
 public:
  explicit GuardedPages(size_t size) : size_(size) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t usable = (size + page - 1) / page * page;
    mapped_size_ = page + usable + kGuardSize;
    void* mapped = mmap(nullptr, mapped_size_, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) abort();
    mapped_ = static_cast<char*>(mapped);
    // qemu-user refuses an empty range.
    if (usable != 0 &&
        mprotect(mapped_ + page, usable, PROT_READ | PROT_WRITE) != 0) {
      abort();
    }
    start_ = mapped_ + page + usable - size;
  }
  ~GuardedPages() { munmap(mapped_, mapped_size_); }

  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  char* start() const { return start_; }
  char* end() const { return start_ + size_; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kGuardSize = size_t{4} << 20;

  size_t size_;
  size_t mapped_size_;
  char* mapped_;
  char* start_;
};

}  // namespace runtime

#endif  // TESTS_GUARDED_PAGES_H_
