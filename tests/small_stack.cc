#include "tests/small_stack.h"

#include <sanitizer/asan_interface.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace runtime {
namespace {

constexpr char kPaint = '\x5a';

}  // namespace

SmallStack::SmallStack(size_t size) : size_(size) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t usable = (size + page - 1) / page * page;
  const size_t mapped = page + page + usable + page;
  mapping_ = static_cast<char*>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (mapping_ == MAP_FAILED) abort();
  memset(mapping_, kPaint, mapped);
  guard_ = mapping_ + page;
  stack_ = guard_ + page;
  end_ = mapping_ + mapped;
  if (mprotect(guard_, page, PROT_NONE) != 0) abort();
}

SmallStack::~SmallStack() {
  // What was left by longjmp still has its redzones, and the next mapping may
  // be at the same address.
  ASAN_UNPOISON_MEMORY_REGION(mapping_, end_ - mapping_);
  munmap(mapping_, static_cast<size_t>(end_ - mapping_));
}

void SmallStack::Run(void (*fn)()) {
  ucontext_t here;
  ucontext_t there;
  getcontext(&there);
  there.uc_stack.ss_sp = stack_;
  there.uc_stack.ss_size = size_;
  there.uc_link = &here;
  makecontext(&there, fn, 0);
  swapcontext(&here, &there);
}

size_t SmallStack::Used() const {
  size_t untouched = 0;
  while (untouched < size_ && stack_[untouched] == kPaint) ++untouched;
  return size_ - untouched;
}

bool SmallStack::Untouched(size_t size) const {
  const auto painted = [](char byte) { return byte == kPaint; };
  return std::all_of(mapping_, guard_, painted) &&
         std::all_of(stack_ + size_ - size, end_, painted);
}

}  // namespace runtime
