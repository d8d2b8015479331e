#include "tools/clockinfo/facts.h"

#include <algorithm>
#include <cmath>

namespace runtime {

double Cost::Min() const { return Percentile(0); }

double Cost::Percentile(double percent) const {
  if (samples.empty()) return 0;
  std::vector<double> sorted = samples;
  const auto count = static_cast<double>(sorted.size());
  const auto rank = static_cast<int64_t>(std::ceil(percent / 100 * count)) - 1;
  const auto nth = sorted.begin() + std::max<int64_t>(rank, 0);
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth;
}

bool Facts::FallsBack() const {
  return std::any_of(clocks.begin(), clocks.end(), [](const ClockFacts& clock) {
    return clock.vdso_serves && clock.user_space == UserSpace::kNo;
  });
}

}  // namespace runtime
