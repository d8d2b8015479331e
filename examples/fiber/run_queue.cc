#include "examples/fiber/run_queue.h"

namespace fibers {

void RunQueue::Push(Fiber* fiber) {
  absl::MutexLock lock(&mutex_);
  fibers_.push_back(fiber);
}

Fiber* RunQueue::Pop() {
  absl::MutexLock lock(&mutex_, absl::Condition(this, &RunQueue::Ready));
  if (fibers_.empty()) return nullptr;
  Fiber* const fiber = fibers_.front();
  fibers_.pop_front();
  return fiber;
}

void RunQueue::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
}

}  // namespace fibers
