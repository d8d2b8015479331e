// Trust, but verify: a vDSO that tells another time than the kernel is worse
// than none (raspberrypi/linux#3579).

#ifndef RUNTIME_TIME_VERIFY_H_
#define RUNTIME_TIME_VERIFY_H_

#include "runtime/time/route.h"

namespace runtime {

// VerifyRoute holds a route against a trusted one for CLOCK_MONOTONIC and
// CLOCK_REALTIME: trusted <= route <= route again <= trusted again, some rounds
// of it, of which one may fail: somebody may be setting the clock just then.
// trusted may be nullptr; then only errors and going backwards are found.
// Returns a RUNTIME_VERIFY_*, NONE for a route that nothing was found against
// in want of a trusted one.
int VerifyRoute(Route route, Route trusted);

}  // namespace runtime

#endif  // RUNTIME_TIME_VERIFY_H_
