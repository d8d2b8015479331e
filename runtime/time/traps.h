// The traps as routes: what there is before the vDSO is found, and without one.

#ifndef RUNTIME_TIME_TRAPS_H_
#define RUNTIME_TIME_TRAPS_H_

#include "runtime/sys/sys.h"
#include "runtime/time/route.h"

namespace runtime {

#ifdef __LP64__

inline constexpr RouteList kTraps = {{runtime_sysClockGettime}};

#else

// SyscallOldClockGettime is runtime_sysClockGettime, widened to 64 bits.
int SyscallOldClockGettime(int32_t clockid, KernelTimespec* ts);

inline constexpr RouteList kTraps = {
    {runtime_sysClockGettime64, SyscallOldClockGettime}};

#endif

}  // namespace runtime

#endif  // RUNTIME_TIME_TRAPS_H_
