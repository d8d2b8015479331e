#include "runtime/sys/owner_lock.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr int kMaxWaits = 1000;  // of a millisecond

int32_t ThreadId() {
  return static_cast<int32_t>(PlainSyscall(__NR_gettid, 0, 0, 0, 0));
}

// IsGone tells whether a thread is not, or no longer, of this process.
bool IsGone(int32_t thread) {
  const intptr_t pid = PlainSyscall(__NR_getpid, 0, 0, 0, 0);
  return PlainSyscall(__NR_tgkill, pid, thread, 0, 0) == -ESRCH;
}

// Wait sleeps: a waiter of higher priority must let the owner run.
void Wait() {
#ifdef __NR_poll
  PlainSyscall(__NR_poll, 0, 0, 1, 0);
#else
  const struct { int64_t sec, nsec; } millisecond = {0, 1000000};
  PlainSyscall(__NR_ppoll, 0, 0, reinterpret_cast<intptr_t>(&millisecond), 0);
#endif
}

}  // namespace

bool OwnerLock::Lock() {
  const int32_t self = ThreadId();
  int32_t owner = 0;
  for (int waits = 0; waits < kMaxWaits; ++waits) {
    if (owner_.compare_exchange_strong(owner, self, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      return true;
    }
    if (owner == self) return false;
    // The child of a fork inherits the lock, but not its owner.
    if (IsGone(owner)) continue;
    owner = 0;
    Wait();
  }
  return false;
}

bool OwnerLock::TryLock() {
  int32_t owner = 0;
  return owner_.compare_exchange_strong(
      owner, ThreadId(), std::memory_order_acquire, std::memory_order_relaxed);
}

void OwnerLock::Unlock() { owner_.store(0, std::memory_order_release); }

}  // namespace runtime
