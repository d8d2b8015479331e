// One reading of the clock, by each of the ways that are compared. What counts
// as a result: of ours, the numbers in registers, or in memory where the ABI
// returns them there; of the others, the return code, for the time is in memory
// already and stays unconverted.

#ifndef BENCHMARKS_CLOCK_READINGS_H_
#define BENCHMARKS_CLOCK_READINGS_H_

#include <time.h>

#include "benchmarks/keep.h"
#include "runtime/sys/sys.h"
#include "runtime/time/clock.h"
#include "runtime/time/route.h"

namespace runtime {

struct ReadNanotime {
  [[gnu::always_inline]] void operator()() { Keep(nanotime()); }
};

struct ReadWalltime {
  [[gnu::always_inline]] void operator()() {
    const runtime_Walltime wall = walltime();
    Keep(wall.nsec);
    Keep(wall.sec);
  }
};

struct ReadNow {
  [[gnu::always_inline]] void operator()() { Keep(now()); }
};

// ReadRaw calls the vDSO's function, or the trap, through a pointer that stays
// in a register.
struct ReadRaw {
  Route route;
  KernelTimespec ts = {};
  [[gnu::always_inline]] void operator()() {
    Keep(route(CLOCK_MONOTONIC, &ts));
  }
};

struct ReadLibc {
  timespec ts = {};
  [[gnu::always_inline]] void operator()() {
    Keep(clock_gettime(CLOCK_MONOTONIC, &ts));
  }
};

}  // namespace runtime

#endif  // BENCHMARKS_CLOCK_READINGS_H_
