#include "runtime/time/verify.h"

#include "runtime/time/asm_constants.h"

namespace runtime {
namespace {

// Two, so that a clock that stands still is left behind by the trusted one.
constexpr int kGoodRounds = 2;  // a clock
constexpr int kBadRounds = 2;   // in all: more than an accident

constexpr int32_t kClocks[] = {RUNTIME_CLOCK_MONOTONIC, RUNTIME_CLOCK_REALTIME};

bool InOrder(const KernelTimespec& a, const KernelTimespec& b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec <= b.nsec);
}

// Round returns HELD or what is wrong with the route.
int Round(Route route, Route trusted, int32_t clockid) {
  KernelTimespec before, first, second, after;
  const bool bracket =
      trusted != nullptr && ReadRoute(trusted, clockid, &before) == 0;
  if (ReadRoute(route, clockid, &first) != 0 ||
      ReadRoute(route, clockid, &second) != 0) {
    return RUNTIME_VERIFY_FAILED;
  }
  if (!InOrder(first, second)) return RUNTIME_VERIFY_LIED;
  if (!bracket) return RUNTIME_VERIFY_NONE;
  if (ReadRoute(trusted, clockid, &after) != 0) return RUNTIME_VERIFY_NONE;
  return InOrder(before, first) && InOrder(second, after) ? RUNTIME_VERIFY_HELD
                                                          : RUNTIME_VERIFY_LIED;
}

}  // namespace

int VerifyRoute(Route route, Route trusted) {
  int result = RUNTIME_VERIFY_HELD;
  int bad = 0;
  for (const int32_t clockid : kClocks) {
    for (int good = 0; good < kGoodRounds;) {
      const int round = Round(route, trusted, clockid);
      if (round == RUNTIME_VERIFY_HELD) {
        ++good;
      } else if (round == RUNTIME_VERIFY_NONE) {
        ++good;
        result = RUNTIME_VERIFY_NONE;
      } else if (++bad == kBadRounds) {
        return round;
      }
    }
  }
  return result;
}

}  // namespace runtime
