#ifndef EXAMPLES_FIBER_RUN_QUEUE_H_
#define EXAMPLES_FIBER_RUN_QUEUE_H_

#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace fibers {

class Fiber;

// RunQueue holds the fibers that could run, first come, first served. All
// workers share it: it is where fibers migrate.
//
// Threads: safe from any, on its own stack. A fiber must not call it: a lock
// that is held across a switch would be released by another thread than took
// it, if at all.
class RunQueue {
 public:
  void Push(Fiber* fiber);

  // Pop waits for a fiber. It returns nullptr once the queue is closed.
  Fiber* Pop();

  // Close says that no more fibers will come.
  void Close();

 private:
  bool Ready() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return closed_ || !fibers_.empty();
  }

  absl::Mutex mutex_;
  std::deque<Fiber*> fibers_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_RUN_QUEUE_H_
