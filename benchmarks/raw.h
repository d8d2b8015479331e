// The clock without us: the resolved vDSO function and the trap stubs, and the
// switch between the two for our own readings.

#ifndef BENCHMARKS_RAW_H_
#define BENCHMARKS_RAW_H_

#include "runtime/time/route.h"

namespace runtime {

// RawVdso returns the vDSO's clock_gettime (clock_gettime64 where there is one
// beside it), or nullptr when readings cannot go through it. On 386 and arm it
// may write 32-bit times: only for measuring.
Route RawVdso();

// RawTrap returns the trap stub for the same clock; 32-bit times as above.
Route RawTrap();

// UseTrapRoute sends all readings through the trap, until UseBestRoute puts
// back what initialisation chooses.
void UseTrapRoute();
void UseBestRoute();

#ifdef __i386__
// UseInt80 makes the trap stubs enter the kernel by int $0x80, until
// UseBestRoute.
void UseInt80();
#endif

}  // namespace runtime

#endif  // BENCHMARKS_RAW_H_
