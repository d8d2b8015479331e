// A monotonic clock for machines whose own goes backwards: kernels and
// hypervisors have had such faults, and a runtime's timers may not survive
// them. C11, as time.h.

#ifndef RUNTIME_TIME_GUARD_H_
#define RUNTIME_TIME_GUARD_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// runtime_nanotimeGuarded is runtime_nanotime, but never less than what it has
// already returned in this process, to any thread. While the clock is behind,
// it stands still: for long, if the clock once ran far ahead.
// Units, Errors, Signals: as runtime_nanotime. Threads: no lock, but all of
// them write to one word: where many threads read, that is what a reading
// costs. Stack: 64 bytes of the caller's in addition. Order: what happened
// before one call returned is not later than what a call begun after it
// returns.
int64_t runtime_nanotimeGuarded(void);

// runtime_nanotimeBackSteps counts the calls of runtime_nanotimeGuarded that
// saw the clock behind a time returned before they began: 0 on a good machine.
uint32_t runtime_nanotimeBackSteps(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RUNTIME_TIME_GUARD_H_
