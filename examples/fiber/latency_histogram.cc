#include "examples/fiber/latency_histogram.h"

#include <algorithm>
#include <cmath>

#include "absl/numeric/bits.h"

namespace fibers {

// A latency of n bits loses all but the first kSubBits + 1 of them: shift many.
int LatencyHistogram::Bucket(int64_t latency_ns) {
  const auto value = static_cast<uint64_t>(latency_ns);
  const int shift =
      std::max(static_cast<int>(absl::bit_width(value)) - kSubBits - 1, 0);
  return shift * kSub + static_cast<int>(value >> shift);
}

int64_t LatencyHistogram::GreatestIn(int bucket) {
  const int shift = std::max(bucket / kSub - 1, 0);
  const int64_t first_bits = bucket - shift * kSub;
  return (first_bits << shift) + ((int64_t{1} << shift) - 1);
}

void LatencyHistogram::Record(int64_t latency_ns) {
  ++counts_[static_cast<size_t>(Bucket(latency_ns))];
  ++count_;
  max_ns_ = std::max(max_ns_, latency_ns);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

int64_t LatencyHistogram::Percentile(double percent) const {
  const auto rank = static_cast<int64_t>(
      std::ceil(percent / 100 * static_cast<double>(count_)));
  int64_t seen = 0;
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[static_cast<size_t>(bucket)];
    if (seen >= rank) return std::min(GreatestIn(bucket), max_ns_);
  }
  return max_ns_;
}

}  // namespace fibers
