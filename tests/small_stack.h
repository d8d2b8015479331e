#ifndef TESTS_SMALL_STACK_H_
#define TESTS_SMALL_STACK_H_

#include <stddef.h>

namespace runtime {

// SmallStack is a stack of the size that fiber runtimes use, on its own mapping
// with a guard page below: an overflow faults at once.
class SmallStack {
 public:
  // size is rounded up to whole pages.
  explicit SmallStack(size_t size);
  ~SmallStack();
  SmallStack(const SmallStack&) = delete;
  SmallStack& operator=(const SmallStack&) = delete;

  // Run calls fn on this stack and returns when it does.
  void Run(void (*fn)());

  // Used returns how many bytes have been written since construction.
  size_t Used() const;

  void* stack() const { return stack_; }
  size_t size() const { return size_; }

 private:
  char* mapping_;
  char* stack_;
  size_t page_;
  size_t size_;
};

}  // namespace runtime

#endif  // TESTS_SMALL_STACK_H_
