// Routes: the ways to read a clock, best first, and the one in use.
//
// A route has the C ABI of the vDSO's own function, so where that function
// writes 64-bit times it is the route itself. The entry points load
// runtime_route, call it and look at the result; everything else happens here,
// off the fast path.
//
// A reading that fails falls through to the next route that answers. A route
// that keeps failing is given up until the next SetRoutes: runtime_route moves
// on (demotion).

#ifndef RUNTIME_TIME_ROUTE_H_
#define RUNTIME_TIME_ROUTE_H_

#include <stdint.h>

#include <atomic>

#include "runtime/sys/sys.h"
#include "runtime/vdso/vdso_linux.h"

namespace runtime {

// Route reads clock clockid into *ts.
// Errors: a negative errno; *ts may then hold anything.
// Stack: runs on the vDSO stack. Signals: must be async-signal-safe.
using Route = int (*)(int32_t clockid, KernelTimespec* ts);

// kMaxRoutes: the vDSO and the syscall, each with 64-bit and with 32-bit times.
inline constexpr int kMaxRoutes = 4;

// RouteList is an order of routes, best first; nullptr fills it up.
struct RouteList {
  Route routes[kMaxRoutes];
};

// kFailuresBeforeDemotion is how many readings a route may fail. One could be
// an accident, and falling through costs little more than the next route alone.
inline constexpr uint32_t kFailuresBeforeDemotion = 3;

// SetRoutes puts an order in force and its first route in use, and forgets all
// failures. Threads: beside readings and itself; a reading under way ends on a
// route of either order.
void SetRoutes(const RouteList& list);

// VdsoRoutes returns this arch's order for what the vDSO has, ending with the
// traps; it also points the adapters that it names at the vDSO.
RouteList VdsoRoutes(const vdsoSymbols& syms);

// RouteDemotions counts the routes given up since the process began.
uint32_t RouteDemotions();

#pragma GCC visibility push(hidden)
extern "C" {

// runtime_route is the route in use, loaded by the entry points. Before
// initialisation it is the trap: correct, and slower.
extern std::atomic<Route> runtime_route;

// runtime_readSlow reads a clock after runtime_route has failed it: by the
// first route from the one in use on that answers. When none does, it ends in
// the fatal hook. Stack: under 256 bytes beside the routes' own.
void runtime_readSlow(int32_t clockid, KernelTimespec* ts);

}  // extern "C"
#pragma GCC visibility pop

}  // namespace runtime

#endif  // RUNTIME_TIME_ROUTE_H_
