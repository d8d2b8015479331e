// The C++ interface: thin wrappers over time.h, and Abseil's time types.
// Contracts (Threads, Signals, Stack, Errors) are those of the C functions.

#ifndef RUNTIME_TIME_CLOCK_H_
#define RUNTIME_TIME_CLOCK_H_

#include <stdint.h>

#include "absl/time/time.h"
#include "runtime/time/time.h"

namespace runtime {

// nanotime is runtime_nanotime. Units: nanoseconds.
inline int64_t nanotime() { return runtime_nanotime(); }

// walltime is runtime_walltime.
inline runtime_Walltime walltime() { return runtime_walltime(); }

// now is runtime_now.
inline runtime_Now now() { return runtime_now(); }

// ToAbslTime converts a wall-clock reading, exactly and over its whole range.
inline absl::Time ToAbslTime(const runtime_Walltime& wall) {
  return absl::FromUnixSeconds(wall.sec) + absl::Nanoseconds(wall.nsec);
}
inline absl::Time ToAbslTime(const runtime_Now& now) {
  return ToAbslTime(runtime_Walltime{now.sec, now.nsec});
}

// ToAbslDuration converts a monotonic reading, or the difference of two,
// exactly.
inline absl::Duration ToAbslDuration(int64_t nanoseconds) {
  return absl::Nanoseconds(nanoseconds);
}

}  // namespace runtime

#endif  // RUNTIME_TIME_CLOCK_H_
