// The clocks of this machine: every reading lies between two of the kernel's
// own.

#include "absl/time/time.h"

#include <time.h>

#include <cstdint>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "runtime/sys/sys.h"
#include "runtime/time/candidates.h"
#include "runtime/time/clock.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr int kRounds = 100000;

int64_t Nanos(int64_t sec, int64_t nsec) { return sec * 1000000000 + nsec; }

// Raw asks the kernel itself.
int64_t Raw(int32_t clockid) {
  for (const Route trap : kTraps.routes) {
    KernelTimespec ts;
    if (trap != nullptr && trap(clockid, &ts) == 0) {
      return Nanos(ts.sec, ts.nsec);
    }
  }
  ADD_FAILURE() << "no trap reads clock " << clockid;
  return 0;
}

// The wall clock may be stepped while a test runs; then the bracket is void.
// ReadBracketed returns how many of kRounds readings lay outside of theirs.
template <typename Read>
int CountOutside(int32_t clockid, Read read) {
  int outside = 0;
  for (int i = 0; i < kRounds; ++i) {
    const int64_t before = Raw(clockid);
    const int64_t ours = read();
    const int64_t after = Raw(clockid);
    if (before <= after && (ours < before || ours > after)) ++outside;
  }
  return outside;
}

class TimeTest : public RoutesFixture,
                 public testing::WithParamInterface<bool> {
 protected:
  TimeTest() {
    if (GetParam()) {
      EXPECT_EQ(runtime_attach(stack_, sizeof stack_), 0);
    }
  }

 private:
  alignas(16) char stack_[RUNTIME_VDSO_STACK_MIN];
};

TEST_P(TimeTest, NanotimeIsBracketed) {
  EXPECT_EQ(CountOutside(CLOCK_MONOTONIC, nanotime), 0);
}

TEST_P(TimeTest, WalltimeIsBracketed) {
  EXPECT_EQ(CountOutside(CLOCK_REALTIME,
                         [] {
                           const runtime_Walltime wall = walltime();
                           return Nanos(wall.sec, wall.nsec);
                         }),
            0);
}

TEST_P(TimeTest, NowIsBracketedByBothClocks) {
  EXPECT_EQ(CountOutside(CLOCK_MONOTONIC, [] { return now().mono; }), 0);
  EXPECT_EQ(CountOutside(CLOCK_REALTIME,
                         [] {
                           const runtime_Now both = now();
                           return Nanos(both.sec, both.nsec);
                         }),
            0);
}

TEST_P(TimeTest, MonotonicTimeDoesNotGoBack) {
  int64_t last = nanotime();
  for (int i = 0; i < kRounds; ++i) {
    const int64_t next = i % 2 == 0 ? nanotime() : now().mono;
    ASSERT_LE(last, next);
    last = next;
  }
}

INSTANTIATE_TEST_SUITE_P(Stacks, TimeTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Attached" : "NoM";
                         });

TEST(ClockTest, AgreesWithAbseil) {
  const absl::Time before = absl::Now();
  const absl::Time ours = ToAbslTime(walltime());
  const absl::Time ours_too = ToAbslTime(now());
  const absl::Time after = absl::Now();
  // Abseil extrapolates between readings: a millisecond is far beyond its
  // error.
  EXPECT_LE(before - absl::Milliseconds(1), ours);
  EXPECT_LE(ours, ours_too);
  EXPECT_LE(ours_too, after + absl::Milliseconds(1));
}

}  // namespace
}  // namespace runtime
