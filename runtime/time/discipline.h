// The kernel's clock discipline, and the bounds that follow from it.

#ifndef RUNTIME_TIME_DISCIPLINE_H_
#define RUNTIME_TIME_DISCIPLINE_H_

#include <stdint.h>

#include "runtime/time/bounds.h"

namespace runtime {

// Discipline is what adjtimex(2) tells.
struct Discipline {
  int state;   // TIME_*
  int status;  // STA_*
  int64_t max_error_us;
  int64_t est_error_us;
  int32_t tai;
};

// BoundsOf fills *bounds for a kernel that was asked between two readings of
// the wall clock, which somebody may have set meanwhile.
void BoundsOf(const Discipline& discipline, const runtime_Walltime& before,
              const runtime_Walltime& after, runtime_WalltimeBounds* bounds);

}  // namespace runtime

#endif  // RUNTIME_TIME_DISCIPLINE_H_
