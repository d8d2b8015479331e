#include "benchmarks/repetition.h"

#include <algorithm>
#include <chrono>  // NOLINT(build/c++11)

namespace runtime {
namespace {

// kSlack is how much longer than the minimum time a repetition is made.
constexpr double kSlack = 1.2;

}  // namespace

size_t FillingTime(double seconds, const std::function<void(size_t n)>& batch) {
  using Clock = std::chrono::steady_clock;
  constexpr int kTries = 10;
  constexpr size_t kProbe = 100;
  Clock::duration best = Clock::duration::max();
  for (int i = 0; i < kTries; ++i) {
    const Clock::time_point start = Clock::now();
    batch(kProbe);
    best = std::min(best, Clock::now() - start);
  }
  const double probe_seconds = std::chrono::duration<double>(best).count();
  return static_cast<size_t>(kProbe * seconds * kSlack / probe_seconds) + 1;
}

double Min(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

}  // namespace runtime
