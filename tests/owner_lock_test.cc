#include "runtime/sys/owner_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>  // NOLINT(build/c++11)

#include "gtest/gtest.h"

namespace runtime {
namespace {

TEST(OwnerLockTest, OneOwnerAtATime) {
  OwnerLock lock;
  int counter = 0;  // a data race, for TSan, if the lock fails
  std::thread threads[4];
  for (std::thread& thread : threads) {
    thread = std::thread([&lock, &counter] {
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(lock.Lock());
        ++counter;
        lock.Unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, 400);
}

TEST(OwnerLockTest, TheOwnerDoesNotWaitForItself) {
  OwnerLock lock;
  ASSERT_TRUE(lock.Lock());
  EXPECT_FALSE(lock.Lock());
  EXPECT_FALSE(lock.TryLock());
  lock.Unlock();
  EXPECT_TRUE(lock.TryLock());
}

TEST(OwnerLockTest, WaitingHasAnEnd) {
  OwnerLock lock;
  std::atomic<bool> locked{false};
  std::atomic<bool> done{false};
  std::thread owner([&] {
    lock.Lock();
    locked.store(true);
    while (!done.load()) usleep(1000);
    lock.Unlock();
  });
  while (!locked.load()) usleep(1000);
  EXPECT_FALSE(lock.TryLock());
  EXPECT_FALSE(lock.Lock());
  done.store(true);
  owner.join();
  EXPECT_TRUE(lock.Lock());
}

// Only the forking thread is copied: what another one held would stay held.
TEST(OwnerLockTest, AForkedChildDoesNotWaitForItsParent) {
  OwnerLock lock;
  ASSERT_TRUE(lock.Lock());
  const pid_t child = fork();
  if (child == 0) _exit(lock.Lock() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(lock.TryLock()) << "the parent's is still the parent's";
}

}  // namespace
}  // namespace runtime
