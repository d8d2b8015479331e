#ifndef TESTS_SMALL_STACK_H_
#define TESTS_SMALL_STACK_H_

#include <stddef.h>
#include <stdint.h>

namespace runtime {

// SmallStack is a stack of the size that fiber runtimes use, with a guard page
// below: an overflow faults at once. What was not written is painted, and so is
// a page or more on either side.
class SmallStack {
 public:
  // size: a multiple of 16. The stack begins right above the guard page; above
  // it lies what is left of its last page, and one more.
  explicit SmallStack(size_t size);
  ~SmallStack();
  SmallStack(const SmallStack&) = delete;
  SmallStack& operator=(const SmallStack&) = delete;

  // Run calls fn on this stack and returns when it does.
  void Run(void (*fn)());

  // Used returns how many bytes have been written since construction.
  size_t Used() const;

  // Untouched tells whether the last size bytes of the stack, and the paint
  // above it and below its guard page, are as they were.
  bool Untouched(size_t size) const;

  bool Holds(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(stack_) < size_;
  }
  char* stack() const { return stack_; }
  size_t size() const { return size_; }

 private:
  char* mapping_;
  char* guard_;
  char* stack_;
  char* end_;  // of the mapping
  size_t size_;
};

}  // namespace runtime

#endif  // TESTS_SMALL_STACK_H_
