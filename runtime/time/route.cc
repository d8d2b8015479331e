#include "runtime/time/route.h"

#include <errno.h>
#include <stddef.h>

#include "runtime/sys/seal.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/candidates.h"
#include "runtime/time/fatal.h"

namespace runtime {

RoutePage runtime_route = {
    {kTraps.routes[0]},
    {1},
    {nullptr},
    {{kTraps.routes[0]}, {kLastTrap}, {kLastTrap}, {kLastTrap}},
#ifndef __LP64__
    {nullptr},
#endif
    0};

static_assert(offsetof(RoutePage, in_use) == page_inUse);
static_assert(offsetof(RoutePage, generation) == page_generation);
static_assert(RUNTIME_SEAL_PAGE == 0 || sizeof(RoutePage) == RUNTIME_SEAL_PAGE,
              "the routes share no page");

namespace {

constexpr auto kSecUnwritten = static_cast<int64_t>(RUNTIME_SEC_UNWRITTEN);

OwnerLock lock;
Seal seal(&runtime_route, &runtime_route.scratch);

// Failures of the routes in the order. Counters are no addresses: they need no
// seal, and a failing route is no reason to open it.
std::atomic<uint32_t> failures[kMaxRoutes];
std::atomic<uint32_t> demotions{0};

Route RouteAt(int i) {
  return runtime_route.order[i].load(std::memory_order_relaxed);
}

// IndexOf returns kMaxRoutes for a route that is not in the order.
int IndexOf(Route route) {
  int i = 0;
  while (i < kMaxRoutes && RouteAt(i) != route) ++i;
  return i;
}

bool IsDue(int i) {
  return failures[i].load(std::memory_order_relaxed) >= kFailuresBeforeDemotion;
}

// IsAnswer tells whether an error is about the clock, and not about the route.
bool IsAnswer(int error) {
  return error != -ENOSYS && error != -EPERM && error != -EIO;
}

// Demote puts route in the place of from, unless somebody else has moved on, or
// has put another order in force. In the middle of an initialisation there is
// no need to: it starts afresh.
void Demote(Route from, Route route) {
  if (!lock.TryLock()) return;
  const int i = IndexOf(from);
  const int to = IndexOf(route);
  if (i < to && to < kMaxRoutes && IsDue(i)) {
    if (OpenRoutes()) {
      if (runtime_route.in_use.compare_exchange_strong(
              from, route, std::memory_order_acq_rel)) {
        demotions.fetch_add(1, std::memory_order_relaxed);
      }
      CloseRoutes();
    } else {
      failures[i].store(0, std::memory_order_relaxed);  // do not ask each time
    }
  }
  lock.Unlock();
}

}  // namespace

OwnerLock* RouteLock() { return &lock; }

bool OpenRoutes() { return seal.Open(); }

void CloseRoutes() { seal.Close(); }

bool RoutesAreSealed() { return seal.closed(); }

void StoreRoutes(const RouteList& list, Pairing pairing) {
  runtime_route.generation.fetch_add(1, std::memory_order_relaxed);
  runtime_route.pairing.store(nullptr, std::memory_order_relaxed);
  Route route = nullptr;
  bool ended = false;
  for (int i = 0; i < kMaxRoutes; ++i) {
    ended = ended || list.routes[i] == nullptr;
    if (!ended) route = list.routes[i];
    runtime_route.order[i].store(route, std::memory_order_relaxed);
    failures[i].store(0, std::memory_order_relaxed);
  }
  // Release: whoever reads by the new route finds the order that it stands in.
  runtime_route.in_use.store(list.routes[0], std::memory_order_release);
  runtime_route.pairing.store(pairing, std::memory_order_release);
}

bool SetRoutes(const RouteList& list, Pairing pairing) {
  if (!lock.Lock()) return false;
  const bool open = OpenRoutes();
  if (open) {
    StoreRoutes(list, pairing);
    CloseRoutes();
  }
  lock.Unlock();
  return open;
}

int RouteState(Route route, uint32_t* failure_count) {
  const int i = IndexOf(route);
  if (i == kMaxRoutes) return RUNTIME_STATE_UNUSED;
  *failure_count = failures[i].load(std::memory_order_relaxed);
  const int in_use =
      IndexOf(runtime_route.in_use.load(std::memory_order_relaxed));
  if (i == in_use) return RUNTIME_STATE_IN_USE;
  return i < in_use ? RUNTIME_STATE_DEMOTED : RUNTIME_STATE_NEXT;
}

uint32_t RouteDemotions() { return demotions.load(std::memory_order_relaxed); }

int ReadRoute(Route route, int32_t clockid, KernelTimespec* ts) {
  ts->sec = kSecUnwritten;
  ts->nsec = -1;
  const int rc = route(clockid, ts);
  if (rc != 0) return rc;
  const bool written = ts->sec != kSecUnwritten;
  return written && ts->nsec >= 0 && ts->nsec <= RUNTIME_NSEC_MAX ? 0 : -EIO;
}

int ReadByAnyRoute(int32_t clockid, KernelTimespec* ts) {
  // The route in use is tried once more: another thread may have moved it on
  // since the entry point loaded it, and it may be the only one.
  const Route in_use = runtime_route.in_use.load(std::memory_order_acquire);
  const int index = IndexOf(in_use);
  const int first = index == kMaxRoutes ? 0 : index;
  const bool required =
      clockid == RUNTIME_CLOCK_MONOTONIC || clockid == RUNTIME_CLOCK_REALTIME;
  Route tried = nullptr;
  int answer = 0;
  for (int i = first; i < kMaxRoutes; ++i) {
    const Route route = RouteAt(i);
    if (route == tried) continue;
    tried = route;
    const int error = ReadRoute(route, clockid, ts);
    if (error == 0) {
      if (i != first && IsDue(first)) Demote(in_use, route);
      return 0;
    }
    // EINVAL says that the clock is unknown, not that the route is bad.
    if (required && error != -EINVAL) {
      failures[i].fetch_add(1, std::memory_order_relaxed);
    }
    if (answer == 0 || !IsAnswer(answer)) answer = error;
  }
  return answer;
}

void runtime_readSlow(int32_t clockid, KernelTimespec* ts) {
  const int error = ReadByAnyRoute(clockid, ts);
  if (error != 0) Fatal(clockid, error);
}

}  // namespace runtime
