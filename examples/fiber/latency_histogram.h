#ifndef EXAMPLES_FIBER_LATENCY_HISTOGRAM_H_
#define EXAMPLES_FIBER_LATENCY_HISTOGRAM_H_

#include <stdint.h>

#include <array>

namespace fibers {

// LatencyHistogram counts latencies in buckets that grow with what they hold:
// 32 for every power of two, so that a bucket's bounds are within 1/32 of each
// other, from a nanosecond to centuries, in 15 KiB.
// Threads: one at a time.
class LatencyHistogram {
 public:
  // Record counts one. latency_ns must not be negative.
  void Record(int64_t latency_ns);

  void Merge(const LatencyHistogram& other);

  int64_t count() const { return count_; }
  int64_t max_ns() const { return max_ns_; }

  // Percentile returns the latency that percent of all do not exceed, or up to
  // 1/32 more; 0 when there is none. 0 < percent <= 100.
  int64_t Percentile(double percent) const;

 private:
  static constexpr int kSubBits = 5;
  static constexpr int kSub = 1 << kSubBits;
  // Those below 2 * kSub have a bucket each; the other 57 powers kSub each.
  static constexpr int kBuckets = 2 * kSub + (62 - kSubBits) * kSub;

  static int Bucket(int64_t latency_ns);
  static int64_t GreatestIn(int bucket);

  std::array<int64_t, kBuckets> counts_ = {};
  int64_t count_ = 0;
  int64_t max_ns_ = 0;
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_LATENCY_HISTOGRAM_H_
