#include "runtime/sys/owner_lock.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr int kMaxWaits = 1000;  // of a millisecond

// ThreadId is never 0, which is no owner; a sandbox may answer that.
int32_t ThreadId() {
  const intptr_t id = PlainSyscall(__NR_gettid, 0, 0, 0, 0);
  return id != 0 ? static_cast<int32_t>(id) : -1;
}

// IsGone tells whether a thread is not, or no longer, of this process. The
// child of a fork inherits the lock, but not its owner. A sandbox that answers
// in the kernel's place would say the same of this thread.
bool IsGone(int32_t thread, int32_t self) {
  const intptr_t pid = PlainSyscall(__NR_getpid, 0, 0, 0, 0);
  return PlainSyscall(__NR_tgkill, pid, self, 0, 0) == 0 &&
         PlainSyscall(__NR_tgkill, pid, thread, 0, 0) == -ESRCH;
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

bool OwnerLock::TryLock(int32_t self) {
  int32_t owner = 0;
  if (owner_.compare_exchange_strong(owner, self, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
    return true;
  }
  return owner != self && IsGone(owner, self) &&
         owner_.compare_exchange_strong(owner, self, std::memory_order_acquire,
                                        std::memory_order_relaxed);
}

bool OwnerLock::TryLock() { return TryLock(ThreadId()); }

bool OwnerLock::Lock() {
  const int32_t self = ThreadId();
  for (int waits = 0; waits < kMaxWaits; ++waits) {
    if (TryLock(self)) return true;
    if (owner_.load(std::memory_order_relaxed) == self) return false;
    Wait();
  }
  return false;
}

void OwnerLock::Unlock() { owner_.store(0, std::memory_order_release); }

}  // namespace runtime
