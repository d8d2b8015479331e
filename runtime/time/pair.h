// Pairs: wall-clock and monotonic time of one instant.
//
// The kernel keeps one time, and the difference of its two clocks. Both change
// only when it updates what the vDSO reads: at each tick, and when somebody
// sets the clock. Each update moves the coarse monotonic clock on to its own
// instant, so that two equal readings of that clock have no update between
// them; or one in the same period of the counter as the last, which moves
// nothing on.
//
// Bracketed: coarse monotonic (1), monotonic, coarse wall, coarse monotonic
// (2). When 1 and 2 are equal, all four are of one state of the kernel's
// clocks, and wall - coarse is the difference of the two clocks at the
// monotonic reading, to the nanosecond. That holds for any counter: a clock set
// in the same period as the last update leaves the monotonic reading in that
// period, too, so that the pair existed. Source: timekeeping.c,
// do_settimeofday64, timekeeping_advance and tk_update_ktime_data;
// lib/vdso/gettimeofday.c, do_hres and do_coarse.
//
// Held: the difference stays valid until the coarse clock has moved on. So the
// entry points read monotonic, then coarse monotonic (2), and compare with the
// coarse reading that the thread's M holds with the difference. In that case a
// clock set in the same period as the last update would not be seen until the
// tick, so this is for counters whose period is shorter than an update takes.

#ifndef RUNTIME_TIME_PAIR_H_
#define RUNTIME_TIME_PAIR_H_

#include "runtime/time/route.h"
#include "runtime/time/time.h"

namespace runtime {

// kPairTries is how often a bracket is tried. Ticks come every millisecond at
// most: a second try succeeds unless the coarse clocks never hold still.
inline constexpr int kPairTries = 16;

// ReadBracketed and ReadHeld are Pairings. ReadHeld fills *held as well.
int ReadBracketed(runtime_Held* held, KernelTimespec* ts);
int ReadHeld(runtime_Held* held, KernelTimespec* ts);

// ChoosePairing finds out what a route's coarse clocks are good for.
// Returns nullptr when they are missing, dear or never hold still, or
// contradict the wall clock; ReadBracketed when the monotonic clock has too
// long a period to hold on to a difference; or ReadHeld.
Pairing ChoosePairing(Route route);

// PairingKind returns the RUNTIME_PAIR_* in force.
int PairingKind();

#pragma GCC visibility push(hidden)
extern "C" {

// runtime_readPair reads wall clock, to ts[0], and monotonic clock, to ts[1],
// for a reading that has no use for held->, or none at all (nullptr): it is
// nested in another of the same thread. When no route can read, it ends in the
// fatal hook. Stack: under 768 bytes beside the routes' own.
void runtime_readPair(runtime_Held* held, KernelTimespec* ts);

}  // extern "C"
#pragma GCC visibility pop

}  // namespace runtime

#endif  // RUNTIME_TIME_PAIR_H_
