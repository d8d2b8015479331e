#include "examples/timer_wheel.h"

#include <algorithm>
#include <utility>

#include "runtime/time/clock.h"

namespace examples {
namespace {

constexpr int64_t kTickNanos = 1'000'000;

int64_t Tick() { return runtime::nanotime() / kTickNanos; }

}  // namespace

TimerWheel::TimerWheel() : polled_(Tick()) {}

void TimerWheel::Add(absl::Duration delay, std::function<void()> callback) {
  // Up to the next tick, so that no timer is early.
  const int64_t due = runtime::nanotime() + absl::ToInt64Nanoseconds(delay);
  const int64_t tick =
      std::max((due + kTickNanos - 1) / kTickNanos, polled_ + 1);
  slots_[static_cast<size_t>(tick % kSlots)].push_back(
      {tick, sequence_++, std::move(callback)});
  ++size_;
}

int TimerWheel::Poll() {
  const int64_t now = Tick();
  std::vector<Timer> due;
  // Once round, at most: a slot holds the timers of all its ticks.
  const int64_t last = std::min(now, polled_ + kSlots);
  for (int64_t tick = polled_ + 1; tick <= last; ++tick) {
    std::vector<Timer>& slot = slots_[static_cast<size_t>(tick % kSlots)];
    const auto later = std::stable_partition(
        slot.begin(), slot.end(),
        [now](const Timer& timer) { return timer.tick > now; });
    std::move(later, slot.end(), std::back_inserter(due));
    slot.erase(later, slot.end());
  }
  polled_ = std::max(polled_, now);
  size_ -= due.size();
  std::sort(due.begin(), due.end(), [](const Timer& a, const Timer& b) {
    return std::pair(a.tick, a.sequence) < std::pair(b.tick, b.sequence);
  });
  for (const Timer& timer : due) timer.callback();
  return static_cast<int>(due.size());
}

}  // namespace examples
