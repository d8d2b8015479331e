#include "runtime/time/pair.h"

#include <errno.h>

#include "runtime/time/asm_constants.h"

namespace runtime {
namespace {

bool IsBefore(const KernelTimespec& a, const KernelTimespec& b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

// Sum and Difference normalise: 0 <= nsec < 10^9, given operands that do.
KernelTimespec Sum(const KernelTimespec& a, const KernelTimespec& b) {
  const int64_t nsec = a.nsec + b.nsec;
  const bool carry = nsec > RUNTIME_NSEC_MAX;
  return {a.sec + b.sec + (carry ? 1 : 0),
          carry ? nsec - RUNTIME_NSEC_PER_SEC : nsec};
}

KernelTimespec Difference(const KernelTimespec& a, const KernelTimespec& b) {
  const int64_t nsec = a.nsec - b.nsec;
  const bool borrow = nsec < 0;
  return {a.sec - b.sec - (borrow ? 1 : 0),
          borrow ? nsec + RUNTIME_NSEC_PER_SEC : nsec};
}

// Bracket is a reading of all clocks in one state of the kernel's.
struct Bracket {
  KernelTimespec mono;
  KernelTimespec coarse_mono;
  KernelTimespec coarse_wall;

  KernelTimespec offset() const { return Difference(coarse_wall, coarse_mono); }
};

// ReadBracket reads *bracket. Errors: those of the route; -EAGAIN when the
// coarse clock never held still; -EIO when it runs before the other.
int ReadBracket(Route route, Bracket* bracket) {
  KernelTimespec before;
  int rc = ReadRoute(route, RUNTIME_CLOCK_MONOTONIC_COARSE, &before);
  for (int i = 0; i < kPairTries && rc == 0; ++i) {
    KernelTimespec* const after = &bracket->coarse_mono;
    rc = ReadRoute(route, RUNTIME_CLOCK_MONOTONIC, &bracket->mono);
    if (rc != 0) return rc;
    rc = ReadRoute(route, RUNTIME_CLOCK_REALTIME_COARSE, &bracket->coarse_wall);
    if (rc != 0) return rc;
    rc = ReadRoute(route, RUNTIME_CLOCK_MONOTONIC_COARSE, after);
    if (rc != 0) return rc;
    if (after->sec == before.sec && after->nsec == before.nsec) {
      return IsBefore(bracket->mono, *after) ? -EIO : 0;
    }
    before.sec = after->sec;
    before.nsec = after->nsec;
  }
  return rc != 0 ? rc : -EAGAIN;
}

// ReadPair is the part that the Pairings share. Seconds are added as the entry
// points do it.
int ReadPair(Route route, Bracket* bracket, KernelTimespec* ts) {
  const int rc = ReadBracket(route, bracket);
  if (rc != 0) return rc;
  ts[0] = Sum(bracket->mono, bracket->offset());
  ts[1].sec = bracket->mono.sec;
  ts[1].nsec = bracket->mono.nsec;
  return 0;
}

Route RouteInUse() {
  return runtime_route.in_use.load(std::memory_order_acquire);
}

int64_t NanosecondsBetween(const KernelTimespec& a, const KernelTimespec& b) {
  return (b.sec - a.sec) * RUNTIME_NSEC_PER_SEC + (b.nsec - a.nsec);
}

// IsConsistent holds a pair between two readings of the wall clock.
bool IsConsistent(Route route) {
  KernelTimespec before, after, pair[2];
  Bracket bracket;
  return ReadRoute(route, RUNTIME_CLOCK_REALTIME, &before) == 0 &&
         ReadPair(route, &bracket, pair) == 0 &&
         ReadRoute(route, RUNTIME_CLOCK_REALTIME, &after) == 0 &&
         !IsBefore(pair[0], before) && !IsBefore(after, pair[0]);
}

constexpr int kWindow = 8;  // readings

// ReadWindow reads a clock kWindow times, the last one into *ts.
bool ReadWindow(Route route, int32_t clockid, KernelTimespec* ts) {
  int rc = 0;
  for (int i = 0; i < kWindow; ++i) rc |= ReadRoute(route, clockid, ts);
  return rc == 0;
}

// IsCheap tells whether a coarse reading takes less than about half the time of
// another. With both as dear, a bracket would cost twice what two readings do.
bool IsCheap(Route route) {
  KernelTimespec start, coarse, middle, end;
  if (ReadRoute(route, RUNTIME_CLOCK_MONOTONIC, &start) != 0 ||
      !ReadWindow(route, RUNTIME_CLOCK_MONOTONIC_COARSE, &coarse) ||
      ReadRoute(route, RUNTIME_CLOCK_MONOTONIC, &middle) != 0 ||
      !ReadWindow(route, RUNTIME_CLOCK_MONOTONIC, &end)) {
    return false;
  }
  // The first includes a reading of the other kind.
  return 3 * NanosecondsBetween(start, middle) <=
         2 * NanosecondsBetween(middle, end);
}

// IsFine tells whether the monotonic clock moves within some readings, in which
// an update of the kernel's clocks could hardly be made: it writes a page of
// data, reads the counter and takes a lock.
bool IsFine(Route route) {
  constexpr int kWindows = 4;
  KernelTimespec first, last;
  for (int i = 0; i < kWindows; ++i) {
    if (ReadRoute(route, RUNTIME_CLOCK_MONOTONIC, &first) != 0 ||
        !ReadWindow(route, RUNTIME_CLOCK_MONOTONIC, &last) ||
        !IsBefore(first, last)) {
      return false;
    }
  }
  return true;
}

}  // namespace

int ReadBracketed(runtime_Held* /*held*/, KernelTimespec* ts) {
  Bracket bracket;
  return ReadPair(RouteInUse(), &bracket, ts);
}

int ReadHeld(runtime_Held* held, KernelTimespec* ts) {
  const uint32_t generation =
      runtime_route.generation.load(std::memory_order_relaxed);
  Bracket bracket;
  const int rc = ReadPair(RouteInUse(), &bracket, ts);
  if (rc != 0 || held == nullptr) return rc;
  // A handler that leaves the reading for good finds all of it, or nothing.
  const KernelTimespec offset = bracket.offset();
  held->generation = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  held->coarseSec = bracket.coarse_mono.sec;
  held->coarseNsec = bracket.coarse_mono.nsec;
  held->sec = offset.sec;
  held->nsec = offset.nsec;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  held->generation = generation;
  return 0;
}

Pairing ChoosePairing(Route route) {
  // More than one of each: somebody may be setting the clock, and this thread
  // may be interrupted.
  constexpr int kRounds = 3;
  int consistent = 0;
  for (int i = 0; i < kRounds; ++i) consistent += IsConsistent(route) ? 1 : 0;
  if (consistent < kRounds - 1) return nullptr;
  for (int i = 0; i < kRounds; ++i) {
    if (IsCheap(route)) {
      return IsFine(route) ? ReadHeld : ReadBracketed;
    }
  }
  return nullptr;
}

int PairingKind() {
  const Pairing pairing = runtime_route.pairing.load(std::memory_order_relaxed);
  if (pairing == nullptr) return RUNTIME_PAIR_TWICE;
  return pairing == ReadHeld ? RUNTIME_PAIR_HELD : RUNTIME_PAIR_BRACKETED;
}

void runtime_readPair(runtime_Held* held, KernelTimespec* ts) {
  const Pairing pairing = runtime_route.pairing.load(std::memory_order_acquire);
  if (pairing != nullptr && pairing(held, ts) == 0) return;
  runtime_readSlow(RUNTIME_CLOCK_REALTIME, &ts[0]);
  runtime_readSlow(RUNTIME_CLOCK_MONOTONIC, &ts[1]);
}

}  // namespace runtime
