#include "examples/fiber/stack_pool.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "examples/fiber/die.h"

namespace fibers {
namespace {

constexpr char kPaint = '\x5a';
constexpr size_t kCanarySize = 256;

size_t PageSize() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

char* MapInaccessible(size_t size) {
  void* const mapping =
      mmap(nullptr, size, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) Die("mmap of the stacks");
  return static_cast<char*>(mapping);
}

bool IsPaint(char c) { return c == kPaint; }

}  // namespace

bool Stack::GuardHolds(const void* address) const {
  const auto below =
      reinterpret_cast<uintptr_t>(base) - reinterpret_cast<uintptr_t>(address);
  return below != 0 && below <= PageSize();
}

StackPool::StackPool(int size)
    : page_(PageSize()),
      size_(2 * page_ * static_cast<size_t>(size)),
      mapping_(MapInaccessible(size_)) {
  for (size_t offset = page_; offset < size_; offset += 2 * page_) {
    char* const base = mapping_ + offset;
    if (mprotect(base, page_, PROT_READ | PROT_WRITE) != 0) {
      Die("mprotect of a stack (too many for vm.max_map_count?)");
    }
    memset(base, kPaint, kStackSize + kCanarySize);
    free_.push_back({base});
  }
}

StackPool::~StackPool() { munmap(mapping_, size_); }

Stack StackPool::Acquire() {
  absl::MutexLock lock(&mutex_);
  const Stack stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::Release(Stack stack) {
  char* const top = stack.base + kStackSize;
  char* const end = top + kCanarySize;
  char* const deepest = std::find_if_not(stack.base, top, IsPaint);
  const bool intact = std::all_of(top, end, IsPaint);
  std::fill(deepest, end, kPaint);

  absl::MutexLock lock(&mutex_);
  greatest_use_ = std::max(greatest_use_, static_cast<size_t>(top - deepest));
  if (!intact) ++broken_canaries_;
  free_.push_back(stack);  // the last one first: it is in the cache
}

size_t StackPool::greatest_use() const {
  absl::MutexLock lock(&mutex_);
  return greatest_use_;
}

int StackPool::broken_canaries() const {
  absl::MutexLock lock(&mutex_);
  return broken_canaries_;
}

}  // namespace fibers
