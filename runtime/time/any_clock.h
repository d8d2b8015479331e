// Any clock, with Abseil's types: clocks.h for code that wants a status.

#ifndef RUNTIME_TIME_ANY_CLOCK_H_
#define RUNTIME_TIME_ANY_CLOCK_H_

#include <stdint.h>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace runtime {

// ReadClock returns a clock's time since its origin: runtime_clockNs.
// Errors: absl::ErrnoToStatus of the kernel's errno, so that an unknown clock
// is kInvalidArgument, and a time beyond 64 bits of nanoseconds kOutOfRange.
// Threads: as readings. Signals: an error allocates memory.
absl::StatusOr<absl::Duration> ReadClock(int32_t clockid);

// ClockResolution returns a clock's resolution: runtime_clockResNs.
absl::StatusOr<absl::Duration> ClockResolution(int32_t clockid);

}  // namespace runtime

#endif  // RUNTIME_TIME_ANY_CLOCK_H_
