#include "runtime/time/route.h"

#include <errno.h>

#include "runtime/time/asm_constants.h"
#include "runtime/time/fatal.h"
#include "runtime/time/traps.h"

namespace runtime {
namespace {

// Entry is a place in the order. SetRoutes writes them one by one beside
// readers: whatever mixture of two orders a reader sees, every route in it
// reads the clock.
struct Entry {
  std::atomic<Route> route;
  std::atomic<uint32_t> failures;
};

Entry order[kMaxRoutes] = {{kTraps.routes[0], 0},
                           {kTraps.routes[1], 0},
                           {kTraps.routes[2], 0},
                           {kTraps.routes[3], 0}};

std::atomic<uint32_t> demotions{0};

// Read fills *ts. A route that reports success but has written nothing, or
// nonsense, has failed, too.
int Read(Route route, int32_t clockid, KernelTimespec* ts) {
  ts->nsec = -1;
  const int rc = route(clockid, ts);
  if (rc != 0) return rc;
  return ts->nsec >= 0 && ts->nsec <= RUNTIME_NSEC_MAX ? 0 : -EIO;
}

int IndexOf(Route route) {
  int i = 0;
  while (i < kMaxRoutes - 1 &&
         order[i].route.load(std::memory_order_relaxed) != route) {
    ++i;
  }
  return order[i].route.load(std::memory_order_relaxed) == route ? i : 0;
}

}  // namespace

std::atomic<Route> runtime_route{kTraps.routes[0]};

void SetRoutes(const RouteList& list) {
  for (int i = 0; i < kMaxRoutes; ++i) {
    order[i].route.store(list.routes[i], std::memory_order_relaxed);
    order[i].failures.store(0, std::memory_order_relaxed);
  }
  // Release: whoever reads by the new route finds the order that it stands in.
  runtime_route.store(list.routes[0], std::memory_order_release);
}

uint32_t RouteDemotions() { return demotions.load(std::memory_order_relaxed); }

void runtime_readSlow(int32_t clockid, KernelTimespec* ts) {
  // The route in use is tried once more: another thread may have moved it on
  // since the entry point loaded it, and it may be the only one.
  Route in_use = runtime_route.load(std::memory_order_acquire);
  const int first = IndexOf(in_use);
  int error = 0;
  for (int i = first; i < kMaxRoutes; ++i) {
    const Route route = order[i].route.load(std::memory_order_relaxed);
    if (route == nullptr) break;
    error = Read(route, clockid, ts);
    if (error == 0) {
      if (order[first].failures.load(std::memory_order_relaxed) >=
              kFailuresBeforeDemotion &&
          i != first &&
          runtime_route.compare_exchange_strong(in_use, route,
                                                std::memory_order_acq_rel)) {
        demotions.fetch_add(1, std::memory_order_relaxed);
      }
      return;
    }
    // EINVAL says that the clock is unknown, not that the route is bad.
    if (error != -EINVAL) {
      order[i].failures.fetch_add(1, std::memory_order_relaxed);
    }
  }
  Fatal(clockid, error);
}

}  // namespace runtime
