// How far the wall clock may be from the truth, as the kernel's clock
// discipline has it (NTP, PTP). C11, as time.h.

#ifndef RUNTIME_TIME_BOUNDS_H_
#define RUNTIME_TIME_BOUNDS_H_

#include <stdint.h>

#include "runtime/time/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// runtime_WalltimeBounds are two instants that UTC lay between during a call,
// and what they rest on.
typedef struct runtime_WalltimeBounds {
  runtime_Walltime earliest;
  runtime_Walltime latest;
  int synchronized;    // 0: nobody disciplines the clock, so nothing is known
  int status;          // STA_* of adjtimex(2)
  int state;           // TIME_* of adjtimex(2): leap seconds
  int64_t maxErrorNs;  // the kernel's bound; it grows until it is corrected
  int64_t estErrorNs;  // the estimate of who disciplines it
  int32_t taiOffset;   // TAI - UTC in seconds; 0: nobody has told the kernel
} runtime_WalltimeBounds;

// runtime_walltimeBounds fills *bounds. earliest and latest are the wall clock
// less and plus maxErrorNs and what that grows by in the second until the
// kernel adds it: 500 ppm (MAXFREQ, include/linux/timex.h). When the clock is
// not synchronised they are the ends of time, so that whoever waits for latest
// waits in vain instead of being wrong.
// Errors: those of adjtimex(2), as a negative errno: only a sandbox has any;
// all is then as for a clock that is not synchronised. Threads, Signals: as
// readings of the clock. Stack: under 512 bytes of the caller's. A system call.
int runtime_walltimeBounds(runtime_WalltimeBounds* bounds);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RUNTIME_TIME_BOUNDS_H_
