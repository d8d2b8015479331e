// Years of timers in milliseconds: the wheel reads the clock as always, and the
// clock is a simulated one.

#include "examples/timer_wheel.h"

#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/time/testing/simulated_clock.h"

namespace examples {
namespace {

class TimerWheelTest : public testing::Test {
 protected:
  void Note(int id, absl::Duration delay) {
    wheel_.Add(delay, [this, id] { called_.push_back(id); });
  }

  std::vector<int> Poll() {
    called_.clear();
    wheel_.Poll();
    return called_;
  }

  runtime::SimulatedClock clock_;
  TimerWheel wheel_;
  std::vector<int> called_;
};

using Ids = std::vector<int>;

TEST_F(TimerWheelTest, CallsWhatIsDueInOrder) {
  Note(3, absl::Milliseconds(30));
  Note(1, absl::Milliseconds(10));
  Note(2, absl::Milliseconds(10));
  EXPECT_EQ(Poll(), Ids{});
  clock_.AdvanceTime(absl::Milliseconds(9));
  EXPECT_EQ(Poll(), Ids{});
  clock_.AdvanceTime(absl::Milliseconds(1));
  EXPECT_EQ(Poll(), (Ids{1, 2}));
  clock_.AdvanceTime(absl::Hours(1));
  EXPECT_EQ(Poll(), Ids{3});
  EXPECT_EQ(wheel_.size(), 0u);
}

TEST_F(TimerWheelTest, AYearOfHours) {
  constexpr int kHours = 365 * 24;
  int calls = 0;
  std::function<void()> again = [&] {
    if (++calls < kHours) wheel_.Add(absl::Hours(1), again);
  };
  const absl::Time start = clock_.TimeNow();
  wheel_.Add(absl::Hours(1), again);
  while (wheel_.size() > 0) {
    clock_.AdvanceTime(absl::Hours(1));
    EXPECT_EQ(wheel_.Poll(), 1);
  }
  EXPECT_EQ(calls, kHours);
  EXPECT_EQ(clock_.TimeNow() - start, absl::Hours(kHours));
}

TEST_F(TimerWheelTest, DoesNotCareWhoSetsTheWallClock) {
  Note(1, absl::Minutes(1));
  clock_.SetTime(clock_.TimeNow() + absl::Hours(1000));
  EXPECT_EQ(Poll(), Ids{});
  clock_.SetTime(clock_.TimeNow() - absl::Hours(2000));
  clock_.AdvanceTime(absl::Minutes(1));
  EXPECT_EQ(Poll(), Ids{1});
}

// A faulty machine: late timers, but none lost, and none called twice.
TEST_F(TimerWheelTest, SurvivesAClockThatGoesBack) {
  clock_.AdvanceTime(absl::Seconds(10));
  EXPECT_EQ(Poll(), Ids{});
  clock_.AdvanceTime(-absl::Seconds(5));
  Note(1, absl::Milliseconds(10));
  EXPECT_EQ(Poll(), Ids{});
  clock_.AdvanceTime(absl::Seconds(5) + absl::Milliseconds(1));
  EXPECT_EQ(Poll(), Ids{1});
  EXPECT_EQ(Poll(), Ids{});
}

// A loop that waits ends, because each reading lets time go by.
TEST_F(TimerWheelTest, APollingLoopEnds) {
  clock_.AutoAdvance(absl::Microseconds(100));
  Note(1, absl::Seconds(1));
  int polls = 0;
  while (wheel_.Poll() == 0) ++polls;
  EXPECT_GE(polls, 9'990);
  EXPECT_LE(polls, 10'010);
}

}  // namespace
}  // namespace examples
