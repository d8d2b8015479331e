// The clocks as std::chrono knows clocks: each satisfies TrivialClock
// ([time.clock.req]). Threads, Signals and Stack are those of the readings.
//
// std::this_thread::sleep_until and std::condition_variable::wait_until take
// time points of any clock: they sleep by a clock of their own, look at this
// one and sleep again until it is time. Where this clock runs on while theirs
// stands still (boottime_clock, suspended) or is set (wall_clock, ahead), they
// wake late.
//
// A clock that cannot be read is fatal, as for runtime_nanotime.
//
// The names are those of std::chrono, to whose clocks these are siblings.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_TIME_CHRONO_H_
#define RUNTIME_TIME_CHRONO_H_

#include <stdint.h>

#include <chrono>  // NOLINT(build/c++11)
#include <ctime>

#include "absl/time/time.h"
#include "runtime/time/clocks.h"
#include "runtime/time/time.h"

namespace runtime {

// NanosecondClock is what the clocks below share. kRead is one of
// clocks.h.
template <typename Clock, bool kIsSteady, int64_t (*kRead)(int* error)>
struct NanosecondClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock, duration>;
  static constexpr bool is_steady = kIsSteady;

  static time_point now() noexcept {
    return time_point(duration{kRead(nullptr)});
  }
};

// monotonic_clock is CLOCK_MONOTONIC: never steps, stands still in suspension.
struct monotonic_clock
    : NanosecondClock<monotonic_clock, true, runtime_monotonicNs> {};

// coarse_monotonic_clock is CLOCK_MONOTONIC_COARSE: monotonic_clock as of the
// last tick of the kernel, for a fraction of the price.
struct coarse_monotonic_clock
    : NanosecondClock<coarse_monotonic_clock, true, runtime_monotonicCoarseNs> {
};

// boottime_clock is CLOCK_BOOTTIME: it goes on while the machine is suspended.
struct boottime_clock
    : NanosecondClock<boottime_clock, true, runtime_boottimeNs> {};

// wall_clock is CLOCK_REALTIME, since 1970 in UTC, from 1677 to 2262: that of
// std::chrono::system_clock, to whose time points its own convert.
struct wall_clock : NanosecondClock<wall_clock, false, runtime_realtimeNs> {
  using sys_time_point =
      std::chrono::time_point<std::chrono::system_clock, duration>;

  static sys_time_point to_sys(const time_point& t) noexcept {
    return sys_time_point(t.time_since_epoch());
  }
  static time_point from_sys(const sys_time_point& t) noexcept {
    return time_point(t.time_since_epoch());
  }

  // to_time_t rounds down, also before 1970.
  static std::time_t to_time_t(const time_point& t) noexcept {
    return static_cast<std::time_t>(
        std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count());
  }
  static time_point from_time_t(std::time_t t) noexcept {
    return time_point(std::chrono::seconds(t));
  }
};

// ToAbslTime and FromAbslTime convert exactly; a time out of wall_clock's range
// becomes the nearest one in it.
inline absl::Time ToAbslTime(const wall_clock::time_point& t) {
  return absl::FromUnixNanos(t.time_since_epoch().count());
}
inline wall_clock::time_point FromAbslTime(absl::Time t) {
  return wall_clock::time_point(
      absl::ToChronoNanoseconds(t - absl::UnixEpoch()));
}

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_TIME_CHRONO_H_
