#ifndef BENCHMARKS_GUARDED_STACK_H_
#define BENCHMARKS_GUARDED_STACK_H_

#include <stddef.h>

namespace runtime {

// GuardedStack is memory for a stack, with a guard page below.
class GuardedStack {
 public:
  explicit GuardedStack(size_t size);
  ~GuardedStack();
  GuardedStack(const GuardedStack&) = delete;
  GuardedStack& operator=(const GuardedStack&) = delete;

  void* base() const { return base_; }
  size_t size() const { return size_; }

  // Run calls fn(n) on this stack, in the calling thread. It costs four
  // system calls. Threads: one at a time in the process.
  void Run(void (*fn)(size_t n), size_t n) const;

 private:
  void* mapping_;
  size_t mapping_size_;
  void* base_;
  size_t size_;
};

}  // namespace runtime

#endif  // BENCHMARKS_GUARDED_STACK_H_
