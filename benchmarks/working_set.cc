#include "benchmarks/working_set.h"

#include <sys/mman.h>

#include <random>
#include <utility>

namespace runtime {

bool WorkingSet::Allocate() {
  if (lines_ != nullptr) return true;
  const auto size = static_cast<size_t>(size_);
  if (size != size_) return false;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  // Where there are huge pages, page walks do not blur the figures.
  madvise(memory, size, MADV_HUGEPAGE);
  lines_ = static_cast<Line*>(memory);

  // Sattolo's shuffle, which makes one cycle of all.
  const size_t count = size / kLineSize;
  for (size_t i = 0; i < count; ++i) lines_[i].next = &lines_[i];
  std::minstd_rand random;
  for (size_t i = count - 1; i > 0; --i) {
    const size_t j = std::uniform_int_distribution<size_t>(0, i - 1)(random);
    std::swap(lines_[i].next, lines_[j].next);
  }
  at_ = lines_;
  return true;
}

WorkingSet::~WorkingSet() {
  if (lines_ != nullptr) munmap(lines_, static_cast<size_t>(size_));
}

}  // namespace runtime
