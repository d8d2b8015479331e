#include "examples/fiber/latency_histogram.h"

#include <stdint.h>

#include <limits>

#include "gtest/gtest.h"

namespace fibers {
namespace {

TEST(LatencyHistogramTest, Empty) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.max_ns(), 0);
  EXPECT_EQ(histogram.Percentile(50), 0);
}

TEST(LatencyHistogramTest, SmallOnesAreExact) {
  LatencyHistogram histogram;
  for (int i = 1; i <= 60; ++i) histogram.Record(i);
  EXPECT_EQ(histogram.Percentile(1), 1);
  EXPECT_EQ(histogram.Percentile(50), 30);
  EXPECT_EQ(histogram.Percentile(90), 54);
  EXPECT_EQ(histogram.Percentile(100), 60);
}

// Each percentile of two different values is one of them, or a little more.
TEST(LatencyHistogramTest, EveryMagnitudeIsWithinItsBounds) {
  const int64_t greatest = std::numeric_limits<int64_t>::max();
  for (int bit = 0; bit < 62; ++bit) {
    const int64_t power = int64_t{1} << bit;
    for (const int64_t value :
         {power - 1, power, power + 1, power + power / 3}) {
      LatencyHistogram histogram;
      histogram.Record(value);
      histogram.Record(greatest);
      EXPECT_GE(histogram.Percentile(50), value);
      EXPECT_LE(histogram.Percentile(50) - value, value / 32);
      EXPECT_EQ(histogram.Percentile(51), greatest);
    }
  }
}

TEST(LatencyHistogramTest, NoPercentileExceedsTheGreatest) {
  LatencyHistogram histogram;
  histogram.Record(1000001);
  EXPECT_EQ(histogram.Percentile(99.9), 1000001);
}

TEST(LatencyHistogramTest, MergeAdds) {
  LatencyHistogram a;
  LatencyHistogram b;
  for (int i = 0; i < 90; ++i) a.Record(10);
  for (int i = 0; i < 10; ++i) b.Record(50);
  a.Merge(b);
  EXPECT_EQ(a.count(), 100);
  EXPECT_EQ(a.max_ns(), 50);
  EXPECT_EQ(a.Percentile(90), 10);
  EXPECT_EQ(a.Percentile(91), 50);
}

}  // namespace
}  // namespace fibers
