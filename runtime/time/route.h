// Routes: the ways to read a clock, best first, and the one in use.
//
// A route has the C ABI of the vDSO's own function, so where that function
// writes 64-bit times it is the route itself. The entry points load
// runtime_route.in_use, call it and look at the result; everything else happens
// here, off the fast path.
//
// A reading that fails falls through to the next route that answers. A route
// that keeps failing is given up until the next SetRoutes: in_use moves on
// (demotion).

#ifndef RUNTIME_TIME_ROUTE_H_
#define RUNTIME_TIME_ROUTE_H_

#include <stdint.h>

#include <atomic>

#include "runtime/sys/owner_lock.h"
#include "runtime/sys/seal_page.h"
#include "runtime/sys/sys.h"
#include "runtime/time/info.h"
#include "runtime/time/time.h"

namespace runtime {

// Route reads clock clockid into *ts.
// Errors: a negative errno; *ts may then hold anything.
// Stack: runs on the vDSO stack. Signals: must be async-signal-safe.
using Route = int (*)(int32_t clockid, KernelTimespec* ts);

#ifndef __LP64__
// OldRoute reads 32-bit times.
using OldRoute = int (*)(int32_t clockid, OldTimespec* ts);
#endif

// Pairing reads the wall clock to ts[0] and the monotonic clock to ts[1] as
// they were at one instant, by the route in use; see pair.h. held is the
// thread's, or nullptr. Errors, Stack, Signals: as Route.
using Pairing = int (*)(runtime_Held* held, KernelTimespec* ts);

inline constexpr int kMaxRoutes = RUNTIME_MAX_ROUTES;

// RouteList is an order of routes, best first; nullptr ends it.
struct RouteList {
  Route routes[kMaxRoutes];
};

// kFailuresBeforeDemotion is how many readings a route may fail. One could be
// an accident, and falling through costs little more than the next route alone.
inline constexpr uint32_t kFailuresBeforeDemotion = 3;

// RoutePage holds every address that a reading calls, alone on a sealed page.
// Readers see its order change entry by entry: whatever mixture of two orders
// they find, every route in it reads the clock. An order is filled up with its
// last route, so that the last entry is the last of one order or the other.
struct alignas(RUNTIME_SEAL_ALIGN) RoutePage {
  std::atomic<Route> in_use;
  std::atomic<uint32_t> generation;  // of the order; from 1 on
  std::atomic<Pairing> pairing;      // nullptr: two readings
  std::atomic<Route> order[kMaxRoutes];
#ifndef __LP64__
  std::atomic<OldRoute> vdso_old;  // what the widening route calls
#endif
  uint64_t scratch;  // for Seal
};

// RouteLock guards all writing to the routes. Readings do not take it.
OwnerLock* RouteLock();

// OpenRoutes makes the page writable, CloseRoutes undoes that. With the lock.
// Errors: false when it stays read-only.
bool OpenRoutes();
void CloseRoutes();

// RoutesAreSealed tells whether a stray write to the page would fault.
bool RoutesAreSealed();

// StoreRoutes puts an order in force and its first route in use, and forgets
// all failures and what threads hold. With the lock, and the page open. A
// reading under way ends on a route of either order.
void StoreRoutes(const RouteList& list, Pairing pairing);

// SetRoutes is StoreRoutes with all around it.
// Errors: false, and nothing changed, when the page cannot be written.
bool SetRoutes(const RouteList& list, Pairing pairing = nullptr);

// RouteState returns what became of a route, a RUNTIME_STATE_*, and how many
// readings it has failed.
int RouteState(Route route, uint32_t* failures);

// RouteDemotions counts the routes given up since the process began.
uint32_t RouteDemotions();

// ReadRoute reads by one route. A route that reports success but has written
// nothing, or nonsense, has failed, too. Errors: as Route, and -EIO for that.
int ReadRoute(Route route, int32_t clockid, KernelTimespec* ts);

// ReadByAnyRoute reads by the first route from the one in use on that answers.
// Only those that cannot read the monotonic or the wall clock are held to have
// failed, and given up in the end: there are vDSOs that read few clocks, and
// clocks that no route reads. Errors: the first that is about the clock, or
// else the last one. Stack: under 512 bytes beside the routes' own.
int ReadByAnyRoute(int32_t clockid, KernelTimespec* ts);

#pragma GCC visibility push(hidden)
extern "C" {

// runtime_route is read by the entry points: in_use and generation. Before
// initialisation the route in use is the trap: correct, and slower.
extern RoutePage runtime_route;

// runtime_readSlow is ReadByAnyRoute for readings that return no error. When
// there is one, it ends in the fatal hook.
void runtime_readSlow(int32_t clockid, KernelTimespec* ts);

// runtime_readClockSlow is runtime_clockNs (clocks.h) after the route in use
// has failed, or has read a time that may not fit.
int64_t runtime_readClockSlow(int32_t clockid, int* error);

}  // extern "C"
#pragma GCC visibility pop

}  // namespace runtime

#endif  // RUNTIME_TIME_ROUTE_H_
