#ifndef EXAMPLES_FIBER_STACK_POOL_H_
#define EXAMPLES_FIBER_STACK_POOL_H_

#include <stddef.h>

#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace fibers {

constexpr size_t kStackSize = 2048;

// Stack is kStackSize bytes of a page, with a guard page below:
//
//   base + page        end of the page
//                      canary: nothing is ever written here
//   base + kStackSize  top; the stack grows down from here
//   base               an overflow's first byte is the guard page's last
//   base - page        guard page, PROT_NONE
struct Stack {
  char* base = nullptr;

  // GuardHolds is async-signal-safe.
  bool GuardHolds(const void* address) const;
};

// StackPool is a fixed number of stacks. They are painted, so that the pool can
// tell how deep each was used when it comes back.
// Threads: safe from any; not from a fiber, on whose stack it would lock.
class StackPool {
 public:
  // size is bounded by the kernel: guard pages make two mappings of a stack,
  // and a process may have vm.max_map_count of them, 65530 by default.
  explicit StackPool(int size);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Acquire must not be called when all stacks are in use.
  Stack Acquire();
  void Release(Stack stack);

  // Of all stacks that have been released.
  size_t greatest_use() const;
  int broken_canaries() const;

 private:
  const size_t page_;
  const size_t size_;
  char* const mapping_;
  mutable absl::Mutex mutex_;
  std::vector<Stack> free_ ABSL_GUARDED_BY(mutex_);
  size_t greatest_use_ ABSL_GUARDED_BY(mutex_) = 0;
  int broken_canaries_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_STACK_POOL_H_
