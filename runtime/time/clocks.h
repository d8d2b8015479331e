// Every clock of the kernel as a 64-bit number of nanoseconds. C11, as time.h,
// whose Threads, Signals, Stack and Order hold here, too.
//
//   clock                     of one's own                   origin
//   CLOCK_REALTIME            runtime_realtimeNs             1970, UTC
//   CLOCK_MONOTONIC           runtime_monotonicNs            about the boot
//   CLOCK_MONOTONIC_RAW       runtime_monotonicRawNs         about the boot
//   CLOCK_REALTIME_COARSE     runtime_realtimeCoarseNs       1970, UTC
//   CLOCK_MONOTONIC_COARSE    runtime_monotonicCoarseNs      about the boot
//   CLOCK_BOOTTIME            runtime_boottimeNs             the boot
//   CLOCK_TAI                 runtime_taiNs                  1970, TAI
//   CLOCK_PROCESS_CPUTIME_ID  runtime_clockNs                the process's
//   start CLOCK_THREAD_CPUTIME_ID   runtime_clockNs                the thread's
//   start any other, and the dynamic clocks of open files: runtime_clockNs
//
// The first seven stay in user space where the vDSO can read them; the coarse
// ones stand still between two ticks of the kernel, and cost a fraction of the
// others. Source: clock_gettime(2), clock_getres(2).
//
// Units: nanoseconds, from 1677-09-21 to 2262-04-11 for a clock that counts
// from 1970; a negative time is as good as another.
//
// Errors: apart from the result, which is INT64_MIN then. *error becomes a
// negative errno, and 0 when there is none: -EINVAL, there is no such clock;
// -EOVERFLOW, its time is beyond these years; or what else the kernel, or a
// sandbox, answers. When error is NULL, an error is fatal, as in
// runtime_nanotime.

#ifndef RUNTIME_TIME_CLOCKS_H_
#define RUNTIME_TIME_CLOCKS_H_

#include <stdint.h>

#include "runtime/time/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// runtime_clockNs returns the time of a clock: clockid is a CLOCK_* of
// <time.h>, or made of a process's, a thread's or an open file's
// (clock_getcpuclockid(3), clock_gettime(2), "Dynamic clocks").
int64_t runtime_clockNs(int32_t clockid, int* error);

// runtime_clockNsM is the same for runtimes that keep an M; see
// runtime_nanotimeM.
int64_t runtime_clockNsM(runtime_M* m, int32_t clockid, int* error);

// The clocks that most readings are of, without an id to hand over.
int64_t runtime_realtimeNs(int* error);
int64_t runtime_monotonicNs(int* error);
int64_t runtime_monotonicRawNs(int* error);
int64_t runtime_realtimeCoarseNs(int* error);
int64_t runtime_monotonicCoarseNs(int* error);
int64_t runtime_boottimeNs(int* error);
int64_t runtime_taiNs(int* error);

// runtime_clockResNs returns the resolution of a clock, by a system call: 1 for
// one that reads a counter, the length of a tick for a coarse one. Stack: under
// 128 bytes of the caller's, attached or not.
int64_t runtime_clockResNs(int32_t clockid, int* error);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RUNTIME_TIME_CLOCKS_H_
