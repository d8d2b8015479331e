// The bounds of the wall clock: what the kernel's discipline says, and no more.

#include "runtime/time/bounds.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "runtime/time/discipline.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"

namespace runtime {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

int64_t Nanos(const runtime_Walltime& wall) {
  return wall.sec * kNanosPerSecond + wall.nsec;
}

// AskLibc asks the C library. Somebody may be disciplining the clock, and
// the kernel adds to maxerror, so what is compared is asked for before and
// after.
timex AskLibc(int* state) {
  timex result = {};
  *state = adjtimex(&result);
  return result;
}

class BoundsTest : public RoutesFixture {};

TEST_F(BoundsTest, AreWhatTheKernelKnows) {
  int state;
  const timex before = AskLibc(&state);
  runtime_WalltimeBounds bounds;
  ASSERT_EQ(runtime_walltimeBounds(&bounds), 0);
  int state_after;
  const timex after = AskLibc(&state_after);
  if (before.status != after.status || state != state_after) {
    GTEST_SKIP() << "somebody disciplines the clock just now";
  }
  EXPECT_EQ(bounds.status, before.status);
  EXPECT_EQ(bounds.state, state);
  EXPECT_EQ(bounds.taiOffset, before.tai);
  EXPECT_GE(bounds.maxErrorNs, before.maxerror * int64_t{1000});
  EXPECT_LE(bounds.maxErrorNs, after.maxerror * int64_t{1000});
  EXPECT_EQ(bounds.estErrorNs, before.esterror * int64_t{1000});
  EXPECT_EQ(bounds.synchronized != 0,
            state != TIME_ERROR && (before.status & STA_UNSYNC) == 0);
}

TEST_F(BoundsTest, LieAroundTheWallClock) {
  const runtime_Walltime before = runtime_walltime();
  runtime_WalltimeBounds bounds;
  ASSERT_EQ(runtime_walltimeBounds(&bounds), 0);
  const runtime_Walltime after = runtime_walltime();
  if (bounds.synchronized == 0) {
    EXPECT_EQ(bounds.earliest.sec, INT64_MIN);
    EXPECT_EQ(bounds.latest.sec, INT64_MAX);
    return;
  }
  // What the kernel adds in a second, on either side.
  constexpr int64_t kGrowth = 500'000;
  const int64_t error = bounds.maxErrorNs + kGrowth;
  EXPECT_GE(Nanos(bounds.earliest), Nanos(before) - error);
  EXPECT_LE(Nanos(bounds.earliest), Nanos(after) - error);
  EXPECT_GE(Nanos(bounds.latest), Nanos(before) + error);
  EXPECT_LE(Nanos(bounds.latest), Nanos(after) + error);
}

// Disciplines that this machine may not have.

constexpr Discipline kGood = {TIME_OK, STA_PLL | STA_NANO, 20'000, 300, 37};

runtime_WalltimeBounds Bounds(const Discipline& discipline,
                              const runtime_Walltime& before,
                              const runtime_Walltime& after) {
  runtime_WalltimeBounds bounds;
  BoundsOf(discipline, before, after, &bounds);
  return bounds;
}

void ExpectWall(const runtime_Walltime& wall, int64_t sec, int32_t nsec) {
  EXPECT_EQ(wall.sec, sec);
  EXPECT_EQ(wall.nsec, nsec);
}

TEST(BoundsOfTest, AddWhatTheKernelMayNotHaveAddedYet) {
  const runtime_WalltimeBounds bounds =
      Bounds(kGood, {1000, 10'000'000}, {1000, 990'000'000});
  EXPECT_EQ(bounds.synchronized, 1);
  EXPECT_EQ(bounds.state, TIME_OK);
  EXPECT_EQ(bounds.status, STA_PLL | STA_NANO);
  EXPECT_EQ(bounds.maxErrorNs, 20'000'000);
  EXPECT_EQ(bounds.estErrorNs, 300'000);
  EXPECT_EQ(bounds.taiOffset, 37);
  ExpectWall(bounds.earliest, 999, 989'500'000);
  ExpectWall(bounds.latest, 1001, 10'500'000);
}

TEST(BoundsOfTest, HoldAClockThatIsSetMeanwhile) {
  const runtime_WalltimeBounds ahead = Bounds(kGood, {1000, 0}, {2000, 0});
  ExpectWall(ahead.earliest, 999, 979'500'000);
  ExpectWall(ahead.latest, 2000, 20'500'000);
  const runtime_WalltimeBounds back = Bounds(kGood, {2000, 0}, {1000, 0});
  ExpectWall(back.earliest, 999, 979'500'000);
  ExpectWall(back.latest, 2000, 20'500'000);
}

TEST(BoundsOfTest, TakeTheGreatestError) {
  Discipline lost = kGood;
  lost.max_error_us = 16'000'000;  // NTP_PHASE_LIMIT
  const runtime_WalltimeBounds bounds = Bounds(lost, {5, 0}, {5, 0});
  ExpectWall(bounds.earliest, -12, 999'500'000);  // before 1970
  ExpectWall(bounds.latest, 21, 500'000);
}

TEST(BoundsOfTest, AreTheEndsOfTimeWithoutSynchronisation) {
  Discipline free_running = kGood;
  free_running.status |= STA_UNSYNC;
  Discipline error = kGood;
  error.state = TIME_ERROR;
  for (const Discipline& discipline : {free_running, error}) {
    const runtime_WalltimeBounds bounds =
        Bounds(discipline, {1000, 0}, {1000, 0});
    EXPECT_EQ(bounds.synchronized, 0);
    EXPECT_EQ(bounds.maxErrorNs, 20'000'000);
    ExpectWall(bounds.earliest, INT64_MIN, 0);
    ExpectWall(bounds.latest, INT64_MAX, 999'999'999);
  }
}

TEST(BoundsOfTest, LeapSecondsAreNoError) {
  for (const int state : {TIME_INS, TIME_DEL, TIME_OOP, TIME_WAIT}) {
    Discipline leap = kGood;
    leap.state = state;
    const runtime_WalltimeBounds bounds = Bounds(leap, {1000, 0}, {1000, 0});
    EXPECT_EQ(bounds.synchronized, 1);
    EXPECT_EQ(bounds.state, state);
  }
}

// Under a filter that forbids the question.
int BoundsUnder(int error) {
  std::vector<SyscallRule> rules = {
      {SYS_adjtimex, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)}};
  if (!InstallFilter(rules)) return 1;
  runtime_WalltimeBounds bounds;
  const int rc = runtime_walltimeBounds(&bounds);
#ifndef __LP64__
  // A kernel without the old call has the new one.
  if (error == ENOSYS) return rc == 0 ? 0 : 5;
#endif
  if (rc != -error) return 2;
  if (bounds.synchronized != 0) return 3;
  return bounds.latest.sec == INT64_MAX && bounds.earliest.sec == INT64_MIN ? 0
                                                                            : 4;
}

TEST_F(BoundsTest, AreTheEndsOfTimeWhereTheKernelMayNotBeAsked) {
  if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
  for (const int error : {EPERM, ENOSYS}) {
    EXPECT_EXIT(_exit(BoundsUnder(error)), testing::ExitedWithCode(0), "");
  }
}

}  // namespace
}  // namespace runtime
