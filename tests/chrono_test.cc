// The clocks as std::chrono's, with what the library does with clocks.

#include "runtime/time/chrono.h"

#include <errno.h>
#include <time.h>

#include <chrono>              // NOLINT(build/c++11)
#include <condition_variable>  // NOLINT(build/c++11)
#include <mutex>               // NOLINT(build/c++11)
#include <thread>              // NOLINT(build/c++11)
#include <type_traits>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/time/any_clock.h"
#include "runtime/time/testing/simulated_clock.h"

namespace runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// [time.clock.req] and TrivialClock, word for word; is_clock is C++20's.
template <typename C>
constexpr bool IsTrivialClock() {
  static_assert(std::is_same_v<
                typename C::duration,
                std::chrono::duration<typename C::rep, typename C::period>>);
  static_assert(
      std::is_same_v<typename C::time_point::duration, typename C::duration>);
  static_assert(std::is_same_v<typename C::time_point::clock, C>);
  static_assert(std::is_same_v<decltype(C::is_steady), const bool>);
  static_assert(std::is_same_v<decltype(C::now()), typename C::time_point>);
  static_assert(noexcept(C::now()));
  static_assert(std::is_arithmetic_v<typename C::rep>);
  static_assert(std::is_nothrow_copy_constructible_v<typename C::time_point>);
  return true;
}

template <typename C>
class ChronoTest : public testing::Test {};
using Clocks = testing::Types<monotonic_clock, coarse_monotonic_clock,
                              boottime_clock, wall_clock>;
TYPED_TEST_SUITE(ChronoTest, Clocks);

TYPED_TEST(ChronoTest, IsATrivialClock) {
  static_assert(IsTrivialClock<TypeParam>());
}

TYPED_TEST(ChronoTest, GoesOn) {
  const auto first = TypeParam::now();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_GT(TypeParam::now(), first);
}

TYPED_TEST(ChronoTest, IsSleptBy) {
  const auto until = TypeParam::now() + milliseconds(20);
  std::this_thread::sleep_until(until);
  EXPECT_GE(TypeParam::now(), until);
}

TYPED_TEST(ChronoTest, IsWaitedByOnAConditionVariable) {
  std::mutex mutex;
  std::condition_variable variable;
  std::unique_lock<std::mutex> lock(mutex);
  const auto until = TypeParam::now() + milliseconds(20);
  EXPECT_FALSE(variable.wait_until(lock, until, [] { return false; }));
  EXPECT_GE(TypeParam::now(), until);
}

TEST(WallClockTest, IsTheSystemClock) {
  const auto before = std::chrono::system_clock::now();
  const auto ours = wall_clock::to_sys(wall_clock::now());
  const auto after = std::chrono::system_clock::now();
  if (before <= after) {
    EXPECT_LE(before, ours);
    EXPECT_LE(ours, after);
  }
  EXPECT_EQ(wall_clock::to_sys(wall_clock::from_sys(ours)), ours);
}

TEST(WallClockTest, ConvertsToTimeT) {
  const wall_clock::time_point half_before_1970(milliseconds(-500));
  EXPECT_EQ(wall_clock::to_time_t(half_before_1970), -1);
  EXPECT_EQ(wall_clock::to_time_t(wall_clock::from_time_t(1'700'000'000)),
            1'700'000'000);
}

TEST(WallClockTest, ConvertsToAbslTime) {
  SimulatedClock clock(absl::FromUnixNanos(1'234'567'890'123'456'789));
  const wall_clock::time_point now = wall_clock::now();
  EXPECT_EQ(ToAbslTime(now), absl::FromUnixNanos(1'234'567'890'123'456'789));
  EXPECT_EQ(FromAbslTime(ToAbslTime(now)), now);
  EXPECT_EQ(FromAbslTime(absl::FromUnixNanos(-1)),
            wall_clock::time_point(nanoseconds(-1)));
  EXPECT_EQ(FromAbslTime(absl::InfiniteFuture()),
            wall_clock::time_point::max());
  EXPECT_EQ(FromAbslTime(absl::InfinitePast()), wall_clock::time_point::min());
}

TEST(AnyClockTest, ReturnsTimes) {
  SimulatedClock clock(absl::FromUnixSeconds(1000), absl::Seconds(5));
  EXPECT_EQ(ReadClock(CLOCK_REALTIME).value(), absl::Seconds(1000));
  EXPECT_EQ(ReadClock(CLOCK_BOOTTIME).value(), absl::Seconds(5));
  EXPECT_GT(ClockResolution(CLOCK_MONOTONIC).value(), absl::ZeroDuration());
}

TEST(AnyClockTest, ReturnsErrors) {
  const absl::Status status = ReadClock(99).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("reading clock 99"), std::string::npos)
      << status;
  EXPECT_EQ(ClockResolution(99).status().code(),
            absl::StatusCode::kInvalidArgument);
  SimulatedClock clock;
  clock.FailReadings(EOVERFLOW);
  EXPECT_EQ(ReadClock(CLOCK_REALTIME).status().code(),
            absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace runtime
