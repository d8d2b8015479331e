// A timer wheel on nanotime, and so one whose tests run in virtual time.

#ifndef EXAMPLES_TIMER_WHEEL_H_
#define EXAMPLES_TIMER_WHEEL_H_

#include <stdint.h>

#include <array>
#include <functional>
#include <vector>

#include "absl/time/time.h"

namespace examples {

// TimerWheel calls functions when their time has come, to the millisecond, by
// the monotonic clock: setting the wall clock moves none of them.
// Threads: one at a time.
class TimerWheel {
 public:
  TimerWheel();

  // Add has callback called by the first Poll that is delay or more from now.
  void Add(absl::Duration delay, std::function<void()> callback);

  // Poll calls what is due, in order of time, and returns how many that were.
  // What a callback adds is for a later Poll.
  int Poll();

  size_t size() const { return size_; }

 private:
  static constexpr int64_t kSlots = 256;

  struct Timer {
    int64_t tick;      // that it is due at
    int64_t sequence;  // of Add
    std::function<void()> callback;
  };

  std::array<std::vector<Timer>, kSlots> slots_;  // by tick modulo kSlots
  int64_t polled_;                                // all ticks up to this one
  int64_t sequence_ = 0;
  size_t size_ = 0;
};

}  // namespace examples

#endif  // EXAMPLES_TIMER_WHEEL_H_
