#include "tests/adversarial_routes.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <algorithm>

#include "runtime/time/candidates.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/adversarial.h"

int32_t adversarial_features;
int32_t adversarial_process;
int32_t adversarial_thread;

namespace runtime {

SignalStats signal_stats;
sigjmp_buf adversarial_jump;

namespace {

constexpr int kPage = 4096;
constexpr int kDepth = 3;

KernelTimespec written[2];

int Write(int32_t clockid, KernelTimespec* ts, int64_t sec, int64_t nsec) {
  *ts = {sec, nsec};
  written[clockid] = *ts;
  return 0;
}

template <int kResult>
int ResultRoute(int32_t, KernelTimespec*) {
  return kResult;
}

template <int64_t kSec, int64_t kNsec>
int WritingRoute(int32_t clockid, KernelTimespec* ts) {
  return Write(clockid, ts, kSec, kNsec);
}

int SecondsOnlyRoute(int32_t, KernelTimespec* ts) {
  ts->sec = 1;
  return 0;
}

// Half of a 64-bit number, as an old 32-bit structure would have it.
int HighHalfRoute(int32_t, KernelTimespec* ts) {
  ts->sec = 1;
  ts->nsec = int64_t{5} << 32;
  return 0;
}

int BackwardsRoute(int32_t clockid, KernelTimespec* ts) {
  static int64_t sec = 1'000'000'000;
  return Write(clockid, ts, --sec, 999'999'999);
}

int SleepingRoute(int32_t clockid, KernelTimespec* ts) {
  const timespec moment = {0, 100'000};
  nanosleep(&moment, nullptr);
  sched_yield();
  return Write(clockid, ts, 5, 6);
}

int depth;

int NestingRoute(int32_t clockid, KernelTimespec* ts) {
  if (depth < kDepth) {
    ++depth;
    signal_stats.deepest = std::max(signal_stats.deepest, depth);
    raise(ADVERSARIAL_SIGNAL);
    --depth;
  }
  return Write(clockid, ts, 7, 8);
}

int RaisingRoute(int32_t clockid, KernelTimespec* ts) {
  raise(ADVERSARIAL_SIGNAL);
  return Write(clockid, ts, 9, 10);
}

// What the handlers do.

void Nothing() {}

void ReadClocks() {
  ++signal_stats.handled;
  uintptr_t pc, sp;
  if (runtime_vdsoFrame(runtime_currentM(), &pc, &sp) == 0) {
    ++signal_stats.without_frame;
  }
  const KernelTimespec wall = LastWritten(0);
  if (signal_stats.handled % 2 == 0) {
    if (runtime_nanotime() <= 0) ++signal_stats.wrong;
  } else if (runtime_now().sec < std::min<int64_t>(wall.sec, 7)) {
    ++signal_stats.wrong;
  }
}

// ReadByTrap is for a route that sends a signal each time that it is called.
void ReadByTrap() {
  SetRoutes(kTraps);
  ReadClocks();
  SetRoutes({{adversarial_signal_route, kTraps.routes[0], kLastTrap}});
}

void Jump() { siglongjmp(adversarial_jump, 1); }

}  // namespace

template <int kPages>
int ProbingRoute(int32_t clockid, KernelTimespec* ts) {
  volatile char probe[kPages * kPage];
  for (int i = kPages - 1; i >= 0; --i) probe[i * kPage] = 1;
  return Write(clockid, ts, 3, probe[0]);
}
template int ProbingRoute<1>(int32_t, KernelTimespec*);
template int ProbingRoute<4>(int32_t, KernelTimespec*);

KernelTimespec LastWritten(int32_t clockid) { return written[clockid]; }

const std::vector<AdversarialRoute>& AdversarialRoutes() {
  constexpr Outcome kWritten = Outcome::kWritten;
  constexpr Outcome kFalls = Outcome::kFallsThrough;
  static const std::vector<AdversarialRoute> routes = {
      {"ProbesOnePage", ProbingRoute<1>, kWritten, Nothing},
      {"ProbesTwoPages", ProbingRoute<2>, kWritten, Nothing},
      {"ProbesThreePages", ProbingRoute<3>, kWritten, Nothing},
      {"ProbesFourPages", ProbingRoute<4>, kWritten, Nothing},
      {"OverwritesRegisters", abi_probe_route, kWritten, Nothing},
      {"OverwritesVectors", adversarial_vectors_route, kWritten, Nothing},
      {"SignalsWithGarbage", adversarial_signal_route, kWritten, ReadByTrap},
      {"Einval", ResultRoute<-EINVAL>, kFalls, Nothing},
      {"Enosys", ResultRoute<-ENOSYS>, kFalls, Nothing},
      {"Eperm", ResultRoute<-EPERM>, kFalls, Nothing},
      {"Efault", ResultRoute<-EFAULT>, kFalls, Nothing},
      {"Eio", ResultRoute<-EIO>, kFalls, Nothing},
      {"PositiveErrno", ResultRoute<EINVAL>, kFalls, Nothing},
      {"One", ResultRoute<1>, kFalls, Nothing},
      {"IntMin", ResultRoute<INT_MIN>, kFalls, Nothing},
      {"IntMax", ResultRoute<INT_MAX>, kFalls, Nothing},
      {"WritesNothing", ResultRoute<0>, kFalls, Nothing},
      {"WritesSecondsOnly", SecondsOnlyRoute, kFalls, Nothing},
      {"HighHalf", HighHalfRoute, kFalls, Nothing},
      {"NsecOneSecond", WritingRoute<1, 1'000'000'000>, kFalls, Nothing},
      {"NsecNegative", WritingRoute<1, -1>, kFalls, Nothing},
      {"NsecMax", WritingRoute<1, INT64_MAX>, kFalls, Nothing},
      {"NsecMin", WritingRoute<1, INT64_MIN>, kFalls, Nothing},
      {"SecondsNegative", WritingRoute<-5, 999'999'999>, kWritten, Nothing},
      {"GoesBackwards", BackwardsRoute, kWritten, Nothing},
      {"Sleeps", SleepingRoute, kWritten, Nothing},
      {"NestsThreeDeep", NestingRoute, kWritten, ReadClocks},
      {"LeavesByLongjmp", RaisingRoute, Outcome::kJumps, Jump},
  };
  return routes;
}

}  // namespace runtime
