// A lock for what is rarely written, that no thread waits for in vain.

#ifndef RUNTIME_SYS_OWNER_LOCK_H_
#define RUNTIME_SYS_OWNER_LOCK_H_

#include <stdint.h>

#include <atomic>

namespace runtime {

// OwnerLock knows its owner, so that neither a handler that interrupted the
// owner nor the child of a fork waits for somebody who cannot go on. It is for
// the threads of one process: vfork(2) and clone(2) with CLONE_VM make others
// that share the memory; they must leave it alone. So must a handler that
// leaves an owner by siglongjmp.
class OwnerLock {
 public:
  constexpr OwnerLock() = default;

  // Lock waits for the lock. Errors: false when this thread has it already (in
  // a handler), or another keeps it for a thousand waits of a millisecond
  // (which take no time where a sandbox forbids waiting).
  bool Lock();

  // TryLock does not wait. Signals: async-signal-safe.
  bool TryLock();

  void Unlock();

 private:
  bool TryLock(int32_t self);

  std::atomic<int32_t> owner_{0};  // a thread id
};

}  // namespace runtime

#endif  // RUNTIME_SYS_OWNER_LOCK_H_
