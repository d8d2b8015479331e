// Whether the library's clocks are the kernel's.

#ifndef TESTS_READS_RIGHT_H_
#define TESTS_READS_RIGHT_H_

#include <stdint.h>
#include <time.h>

#include "runtime/sys/sys.h"
#include "runtime/time/candidates.h"
#include "runtime/time/time.h"

namespace runtime {

// Trap reads a clock past the library's routes and libc.
inline int64_t Trap(int32_t clockid) {
  KernelTimespec ts;
#ifdef __LP64__
  runtime_sysClockGettime(clockid, &ts);
#else
  SyscallOldClockGettime(clockid, &ts);
#endif
  return ts.sec * 1000000000 + ts.nsec;
}

// ReadsRight holds the library's clocks between two readings by the trap.
inline bool ReadsRight() {
  const int64_t mono = Trap(CLOCK_MONOTONIC);
  const int64_t wall = Trap(CLOCK_REALTIME);
  const runtime_Now now = runtime_now();
  const int64_t now_wall = now.sec * 1000000000 + now.nsec;
  return mono <= now.mono && now.mono <= Trap(CLOCK_MONOTONIC) &&
         wall <= now_wall && now_wall <= Trap(CLOCK_REALTIME);
}

}  // namespace runtime

#endif  // TESTS_READS_RIGHT_H_
