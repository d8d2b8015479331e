// Under a storm of signals nothing is torn, lost, damaged, or goes backwards.

#include "tests/storm.h"

#include <stdint.h>
#include <stdlib.h>

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace runtime {
namespace {

absl::Duration duration = absl::Seconds(1);

TEST(StormTest, NothingIsTornLostOrDamaged) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  StormOptions options;
  options.duration = duration;
  const StormCounts counts = RunStorm(options);
  EXPECT_EQ(counts.Faults(), "");
  EXPECT_GT(counts.readings, 0);
  EXPECT_GT(counts.timer_signals, 0);
  EXPECT_GT(counts.thread_signals, 0);
  EXPECT_GT(counts.queued, 0);
  RecordProperty("inside_readings", static_cast<int>(counts.inside_readings));
}

// Each fault is reported.

TEST(StormCountsTest, ReportsEachFault) {
  StormCounts good;
  good.inside_readings = 1;
  good.queued = good.queued_handled = 5;
  EXPECT_EQ(good.Faults(), "");
  StormCounts counts = good;
  counts.queued_handled = 4;
  EXPECT_EQ(counts.Faults(), "1 queued signals lost\n");
  counts = good;
  counts.torn = 2;
  EXPECT_EQ(counts.Faults(), "2 frames torn\n");
  counts = good;
  counts.lost_caller = 2;
  EXPECT_EQ(counts.Faults(), "2 times the caller was not found\n");
  counts = good;
  counts.backwards = 1;
  EXPECT_EQ(counts.Faults(), "1 times time went backwards\n");
  counts = good;
  counts.damaged = 3;
  EXPECT_EQ(counts.Faults(), "3 stacks damaged\n");
  counts = good;
  counts.left_published = 1;
  EXPECT_EQ(counts.Faults(), "1 readings left published\n");
  EXPECT_EQ(StormCounts().Faults(), "no reading was interrupted\n");
}

TEST(StormFramesTest, KnowsWholePairsOnly) {
  StormFrames frames;
  frames.AddCall(100);
  frames.AddStack(1000, 2000);
  EXPECT_TRUE(frames.Knows(100, 1500));
  EXPECT_TRUE(frames.Knows(100, 2000));
  EXPECT_FALSE(frames.Knows(101, 1500));
  EXPECT_FALSE(frames.Knows(100, 2001));
  EXPECT_FALSE(frames.Knows(100, 1000));
  EXPECT_FALSE(frames.Knows(1500, 100));
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int seconds = 0;
  if (argc == 2 && absl::SimpleAtoi(argv[1], &seconds)) {
    runtime::duration = absl::Seconds(seconds);
  }
  return RUN_ALL_TESTS();
}
