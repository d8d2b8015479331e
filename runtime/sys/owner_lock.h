// A lock for what is rarely written, that nothing can leave hanging.

#ifndef RUNTIME_SYS_OWNER_LOCK_H_
#define RUNTIME_SYS_OWNER_LOCK_H_

#include <stdint.h>

#include <atomic>

namespace runtime {

// OwnerLock knows its owner, so that neither a handler that interrupted the
// owner nor the child of a fork waits for somebody who cannot go on.
class OwnerLock {
 public:
  constexpr OwnerLock() = default;

  // Lock waits for the lock. Errors: false when this thread has it already (in
  // a handler), or another keeps it for longer than a second.
  bool Lock();

  // TryLock does not wait. Signals: async-signal-safe.
  bool TryLock();

  void Unlock();

 private:
  std::atomic<int32_t> owner_{0};  // a thread id
};

}  // namespace runtime

#endif  // RUNTIME_SYS_OWNER_LOCK_H_
