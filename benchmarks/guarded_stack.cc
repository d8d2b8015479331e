#include "benchmarks/guarded_stack.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace runtime {
namespace {

// What Run wants called: makecontext passes only ints.
void (*entry_fn)(size_t n);
size_t entry_n;

void Entry() { entry_fn(entry_n); }

[[noreturn]] void Die(const char* what) {
  perror(what);
  abort();
}

}  // namespace

GuardedStack::GuardedStack(size_t size) : size_(size) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  mapping_size_ = page + size;
  mapping_ = mmap(nullptr, mapping_size_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) Die("mmap");
  if (mprotect(mapping_, page, PROT_NONE) != 0) Die("mprotect");
  base_ = static_cast<char*>(mapping_) + page;
}

GuardedStack::~GuardedStack() { munmap(mapping_, mapping_size_); }

void GuardedStack::Run(void (*fn)(size_t n), size_t n) const {
  entry_fn = fn;
  entry_n = n;
  ucontext_t here;
  ucontext_t there;
  getcontext(&there);
  there.uc_stack.ss_sp = base_;
  there.uc_stack.ss_size = size_;
  there.uc_link = &here;
  makecontext(&there, Entry, 0);
  if (swapcontext(&here, &there) != 0) Die("swapcontext");
}

}  // namespace runtime
