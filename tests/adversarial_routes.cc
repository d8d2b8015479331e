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

int NanosecondsOnlyRoute(int32_t, KernelTimespec* ts) {
  ts->nsec = 1;
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

int depth;  // of handlers

int NestingRoute(int32_t clockid, KernelTimespec* ts) {
  if (depth < kDepth) {
    ++signal_stats.sent;
    raise(ADVERSARIAL_SIGNAL);
  }
  return Write(clockid, ts, 7, 8);
}

int RaisingRoute(int32_t clockid, KernelTimespec* ts) {
  ++signal_stats.sent;
  raise(ADVERSARIAL_SIGNAL);
  return Write(clockid, ts, 9, 10);
}

// What the handlers do.

void Nothing() {}

// Frame is what runtime_vdsoFrame says.
struct Frame {
  int there;
  uintptr_t pc;
  uintptr_t sp;
};

Frame VdsoFrame() {
  Frame frame = {};
  frame.there = runtime_vdsoFrame(runtime_currentM(), &frame.pc, &frame.sp);
  return frame;
}

// ReadClocks makes readings, which are right if is_right says so.
void ReadClocks(bool (*is_right)(int64_t mono, const runtime_Now& now)) {
  ++depth;
  ++signal_stats.handled;
  signal_stats.deepest = std::max(signal_stats.deepest, depth);
  const Frame before = VdsoFrame();
  if (before.there == 0) ++signal_stats.unpublished;

  const int64_t mono = runtime_nanotime();
  if (!is_right(mono, runtime_now())) ++signal_stats.wrong;

  const Frame after = VdsoFrame();
  if (after.there != before.there || after.pc != before.pc ||
      after.sp != before.sp) {
    ++signal_stats.not_restored;
  }
  if (--depth == 0) {
    signal_stats.pc = before.pc;
    signal_stats.sp = before.sp;
  }
}

// ReadByNesting reads what NestingRoute writes.
void ReadByNesting() {
  ReadClocks([](int64_t mono, const runtime_Now& now) {
    return mono == 7'000'000'008 && now.mono == mono && now.sec == 7 &&
           now.nsec == 8;
  });
}

// ReadByTrap is for a route that sends a signal each time that it is called.
void ReadByTrap() {
  SetRoutes(kTraps);
  ReadClocks([](int64_t mono, const runtime_Now& now) {
    return mono > 0 && now.mono >= mono && now.sec > 1'600'000'000;
  });
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
      {"ProbesOnePage", ProbingRoute<1>, kWritten, Nothing, 0},
      {"ProbesTwoPages", ProbingRoute<2>, kWritten, Nothing, 0},
      {"ProbesThreePages", ProbingRoute<3>, kWritten, Nothing, 0},
      {"ProbesFourPages", ProbingRoute<4>, kWritten, Nothing, 0},
      {"OverwritesRegisters", abi_probe_route, kWritten, Nothing, 0},
      {"OverwritesVectors", adversarial_vectors_route, kWritten, Nothing, 0},
      {"SignalsWithGarbage", adversarial_signal_route, kWritten, ReadByTrap, 1},
      {"Einval", ResultRoute<-EINVAL>, kFalls, Nothing, 0},
      {"Enosys", ResultRoute<-ENOSYS>, kFalls, Nothing, 0},
      {"Eperm", ResultRoute<-EPERM>, kFalls, Nothing, 0},
      {"Efault", ResultRoute<-EFAULT>, kFalls, Nothing, 0},
      {"Eio", ResultRoute<-EIO>, kFalls, Nothing, 0},
      {"PositiveErrno", ResultRoute<EINVAL>, kFalls, Nothing, 0},
      {"One", ResultRoute<1>, kFalls, Nothing, 0},
      {"IntMin", ResultRoute<INT_MIN>, kFalls, Nothing, 0},
      {"IntMax", ResultRoute<INT_MAX>, kFalls, Nothing, 0},
      {"WritesNothing", ResultRoute<0>, kFalls, Nothing, 0},
      {"WritesSecondsOnly", SecondsOnlyRoute, kFalls, Nothing, 0},
      {"WritesNanosecondsOnly", NanosecondsOnlyRoute, kFalls, Nothing, 0},
      {"HighHalf", HighHalfRoute, kFalls, Nothing, 0},
      {"NsecOneSecond", WritingRoute<1, 1'000'000'000>, kFalls, Nothing, 0},
      {"NsecNegative", WritingRoute<1, -1>, kFalls, Nothing, 0},
      {"NsecMax", WritingRoute<1, INT64_MAX>, kFalls, Nothing, 0},
      {"NsecMin", WritingRoute<1, INT64_MIN>, kFalls, Nothing, 0},
      {"SecondsNegative", WritingRoute<-5, 999'999'999>, kWritten, Nothing, 0},
      {"GoesBackwards", BackwardsRoute, kWritten, Nothing, 0},
      {"Sleeps", SleepingRoute, kWritten, Nothing, 0},
      {"NestsThreeDeep", NestingRoute, kWritten, ReadByNesting, kDepth},
      {"LeavesByLongjmp", RaisingRoute, Outcome::kJumps, Jump, 0},
  };
  return routes;
}

}  // namespace runtime
