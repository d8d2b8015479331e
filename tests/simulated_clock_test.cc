// Virtual time, as an embedder's tests use it.

#include "runtime/time/testing/simulated_clock.h"

#include <errno.h>
#include <time.h>

#include <atomic>
#include <thread>  // NOLINT(build/c++11)

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/time/chrono.h"
#include "runtime/time/clock.h"
#include "runtime/time/clocks.h"
#include "runtime/time/guard.h"
#include "runtime/time/info.h"
#include "runtime/time/time.h"

namespace runtime {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(SimulatedClockTest, StandsStill) {
  SimulatedClock clock(absl::FromUnixSeconds(77), absl::Seconds(5));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(nanotime(), 5 * kSecond);
    EXPECT_EQ(ToAbslTime(walltime()), absl::FromUnixSeconds(77));
    EXPECT_EQ(now().mono, 5 * kSecond);
    EXPECT_EQ(ToAbslTime(now()), absl::FromUnixSeconds(77));
  }
  EXPECT_EQ(clock.TimeNow(), absl::FromUnixSeconds(77));
  EXPECT_EQ(clock.SinceBoot(), absl::Seconds(5));
  EXPECT_EQ(clock.readings(), 12);
}

TEST(SimulatedClockTest, HasEveryClock) {
  SimulatedClock clock(absl::FromUnixSeconds(1000), absl::Seconds(5));
  clock.AdvanceTime(absl::Milliseconds(6));
  clock.Suspend(absl::Seconds(100));
  const int64_t ms = 1'000'000;
  EXPECT_EQ(runtime_monotonicNs(nullptr), 5 * kSecond + 6 * ms);
  EXPECT_EQ(runtime_monotonicRawNs(nullptr), 5 * kSecond + 6 * ms);
  EXPECT_EQ(runtime_monotonicCoarseNs(nullptr), 5 * kSecond + 4 * ms);
  EXPECT_EQ(runtime_boottimeNs(nullptr), 105 * kSecond + 6 * ms);
  EXPECT_EQ(runtime_realtimeNs(nullptr), 1100 * kSecond + 6 * ms);
  EXPECT_EQ(runtime_realtimeCoarseNs(nullptr), 1100 * kSecond + 4 * ms);
  EXPECT_EQ(runtime_taiNs(nullptr), 1137 * kSecond + 6 * ms);
  int error;
  EXPECT_GT(runtime_clockNs(CLOCK_THREAD_CPUTIME_ID, &error), 0);
  EXPECT_EQ(error, 0);
  runtime_clockNs(99, &error);
  EXPECT_EQ(error, -EINVAL);
}

TEST(SimulatedClockTest, IsSetAndGoesBack) {
  SimulatedClock clock(absl::FromUnixSeconds(1000), absl::Seconds(5));
  clock.SetTime(absl::FromUnixSeconds(-3) + absl::Nanoseconds(1));
  EXPECT_EQ(walltime().sec, -3);
  EXPECT_EQ(walltime().nsec, 1);
  EXPECT_EQ(nanotime(), 5 * kSecond);
  clock.AdvanceTime(-absl::Seconds(1));
  EXPECT_EQ(nanotime(), 4 * kSecond);
  EXPECT_EQ(walltime().sec, -4);
}

TEST(SimulatedClockTest, AdvancesByItself) {
  SimulatedClock clock(absl::FromUnixSeconds(0), absl::Seconds(5));
  clock.AutoAdvance(absl::Milliseconds(1));
  int polls = 0;
  const int64_t deadline = nanotime() + kSecond;
  while (nanotime() < deadline) ++polls;
  EXPECT_EQ(polls, 999);
  // Both clocks in one reading.
  const runtime_Now first = now();
  const runtime_Now second = now();
  EXPECT_EQ(second.mono - first.mono, 1'000'000);
  EXPECT_EQ(ToAbslTime(second) - ToAbslTime(first), absl::Milliseconds(1));
}

TEST(SimulatedClockTest, Fails) {
  SimulatedClock clock;
  clock.FailReadings(EIO);
  int error;
  EXPECT_EQ(runtime_boottimeNs(&error), INT64_MIN);
  EXPECT_EQ(error, -EIO);
  clock.FailReadings(0);
  EXPECT_GT(runtime_boottimeNs(&error), 0);
  EXPECT_EQ(error, 0);
}

TEST(SimulatedClockTest, FailsForGood) {
  EXPECT_DEATH(
      {
        SimulatedClock clock;
        clock.FailReadings(ENOSYS);
        nanotime();
      },
      "no route can read clock 1: errno 38");
}

TEST(SimulatedClockTest, IsForThreadsThatRunAlready) {
  std::atomic<int> stage{0};
  std::atomic<int64_t> seen[3] = {};
  std::thread thread([&stage, &seen] {
    for (int i = 0; i < 3; ++i) {
      while (stage.load() <= i) std::this_thread::yield();
      seen[i] = now().mono;
      stage.store(-i);
    }
  });
  const auto ask = [&stage](int i) {
    stage.store(i + 1);
    while (stage.load() > 0) std::this_thread::yield();
  };
  const int64_t real = nanotime();
  ask(0);
  {
    SimulatedClock clock(absl::FromUnixSeconds(0), absl::Hours(1'000'000));
    ask(1);
  }
  ask(2);
  thread.join();
  EXPECT_GE(seen[0], real);
  EXPECT_EQ(seen[1], absl::ToInt64Nanoseconds(absl::Hours(1'000'000)));
  EXPECT_GE(seen[2], seen[0]);
  EXPECT_LE(seen[2], nanotime());
}

TEST(SimulatedClockTest, PutsBackWhatWas) {
  runtime_TimeInfo before;
  ASSERT_EQ(runtime_timeInfo(&before), 0);
  { SimulatedClock clock; }
  { SimulatedClock again; }
  runtime_TimeInfo after;
  ASSERT_EQ(runtime_timeInfo(&after), 0);
  for (int i = 0; i < before.route_count; ++i) {
    EXPECT_EQ(before.routes[i].state, after.routes[i].state);
  }
  const int64_t raw = runtime_monotonicNs(nullptr);
  EXPECT_LE(raw, nanotime());

  runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
  { SimulatedClock clock; }
  ASSERT_EQ(runtime_timeInfo(&after), 0);
  EXPECT_EQ(after.forced, RUNTIME_ROUTE_SYSCALL);
  runtime_forceRoute(RUNTIME_ROUTE_AUTO);
}

TEST(SimulatedClockTest, FreesTheGuard) {
  const int64_t real = runtime_nanotimeGuarded();
  {
    SimulatedClock clock(absl::UnixEpoch(), absl::Nanoseconds(1));
    EXPECT_EQ(runtime_nanotimeGuarded(), 1);
    clock.AdvanceTime(absl::Hours(24 * 365 * 100));
    EXPECT_GT(runtime_nanotimeGuarded(), real);
    const uint32_t steps = runtime_nanotimeBackSteps();
    clock.AdvanceTime(-absl::Hours(1));
    runtime_nanotimeGuarded();
    EXPECT_EQ(runtime_nanotimeBackSteps(), steps + 1);
  }
  const int64_t guarded = runtime_nanotimeGuarded();
  EXPECT_LE(guarded, nanotime());
}

TEST(SimulatedClockTest, IsTheOnlyOne) {
  EXPECT_DEATH(
      {
        SimulatedClock clock;
        SimulatedClock another;
      },
      "there is one already");
}

TEST(SimulatedClockTest, IsWhatChronoClocksRead) {
  SimulatedClock clock(absl::FromUnixSeconds(1000), absl::Seconds(5));
  EXPECT_EQ(monotonic_clock::now().time_since_epoch(), std::chrono::seconds(5));
  EXPECT_EQ(wall_clock::to_time_t(wall_clock::now()), 1000);
}

}  // namespace
}  // namespace runtime
