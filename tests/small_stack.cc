#include "tests/small_stack.h"

#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>

namespace runtime {
namespace {

constexpr char kPaint = '\x5a';

}  // namespace

SmallStack::SmallStack(size_t size) : size_(size) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t usable = (size + page - 1) / page * page;
  mapping_ =
      static_cast<char*>(mmap(nullptr, page + usable, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (mapping_ == MAP_FAILED) abort();
  if (mprotect(mapping_, page, PROT_NONE) != 0) abort();
  stack_ = mapping_ + page;
  end_ = stack_ + usable;
  memset(stack_, kPaint, usable);
}

SmallStack::~SmallStack() {
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
  for (const char* at = stack_ + size_ - size; at < end_; ++at) {
    if (*at != kPaint) return false;
  }
  return true;
}

}  // namespace runtime
