#include "runtime/time/testing/simulated_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>

#include "runtime/time/candidates.h"
#include "runtime/time/guard_reset.h"
#include "runtime/time/info.h"
#include "runtime/time/route.h"

namespace runtime {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kTick = 4'000'000;
constexpr int64_t kTaiOffset = 37 * kNanosPerSecond;  // since 2017

// The state is the process's, as the routes are: a reading in a signal handler
// or in another thread finds it without a lock.
std::atomic<bool> exists{false};
std::atomic<int64_t> mono_ns;
std::atomic<int64_t> wall_offset_ns;  // wall less monotonic
std::atomic<int64_t> boot_offset_ns;
std::atomic<int64_t> step_ns;
std::atomic<int> failure;  // 0: none
std::atomic<int64_t> readings_made;

// Write rounds down, also before 1970.
int Write(int64_t ns, KernelTimespec* ts) {
  ts->sec = ns / kNanosPerSecond;
  ts->nsec = ns % kNanosPerSecond;
  if (ts->nsec < 0) {
    ts->nsec += kNanosPerSecond;
    --ts->sec;
  }
  return 0;
}

// Begin is the part that all readings share. Errors: the one asked for.
int Begin(int64_t* mono) {
  readings_made.fetch_add(1, std::memory_order_relaxed);
  const int error = failure.load();
  if (error != 0) return -error;
  const int64_t step = step_ns.load();
  *mono = mono_ns.fetch_add(step) + step;
  return 0;
}

int ReadSimulated(int32_t clockid, KernelTimespec* ts) {
  if (clockid < 0 || clockid == CLOCK_PROCESS_CPUTIME_ID ||
      clockid == CLOCK_THREAD_CPUTIME_ID) {
    return kTraps.routes[0](clockid, ts);
  }
  int64_t mono;
  const int rc = Begin(&mono);
  if (rc != 0) return rc;
  switch (clockid) {
    case CLOCK_REALTIME:
      return Write(mono + wall_offset_ns.load(), ts);
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
      return Write(mono, ts);
    case CLOCK_REALTIME_COARSE:
      return Write(mono - mono % kTick + wall_offset_ns.load(), ts);
    case CLOCK_MONOTONIC_COARSE:
      return Write(mono - mono % kTick, ts);
    case CLOCK_BOOTTIME:
      return Write(mono + boot_offset_ns.load(), ts);
    case CLOCK_TAI:
      return Write(mono + wall_offset_ns.load() + kTaiOffset, ts);
    default:
      return -EINVAL;
  }
}

int ReadSimulatedPair(runtime_Held* /*held*/, KernelTimespec* ts) {
  int64_t mono;
  const int rc = Begin(&mono);
  if (rc != 0) return rc;
  Write(mono + wall_offset_ns.load(), &ts[0]);
  return Write(mono, &ts[1]);
}

[[noreturn]] void Die(const char* why) {
  fprintf(stderr, "SimulatedClock: %s\n", why);
  abort();
}

}  // namespace

SimulatedClock::SimulatedClock(absl::Time wall, absl::Duration since_boot) {
  if (exists.exchange(true)) Die("there is one already");
  mono_ns = absl::ToInt64Nanoseconds(since_boot);
  boot_offset_ns = 0;
  step_ns = 0;
  failure = 0;
  readings_made = 0;
  SetTime(wall);
  ResetGuard();
  if (!SetRoutes({{ReadSimulated}}, ReadSimulatedPair)) {
    Die("the routes cannot be written");
  }
}

SimulatedClock::~SimulatedClock() {
  runtime_TimeInfo info;
  if (runtime_timeInfo(&info) != 0 || runtime_forceRoute(info.forced) != 0) {
    Die("the routes cannot be put back");
  }
  ResetGuard();
  exists = false;
}

absl::Time SimulatedClock::TimeNow() const {
  return absl::FromUnixNanos(mono_ns.load() + wall_offset_ns.load());
}

absl::Duration SimulatedClock::SinceBoot() const {
  return absl::Nanoseconds(mono_ns.load());
}

void SimulatedClock::AdvanceTime(absl::Duration d) {
  mono_ns += absl::ToInt64Nanoseconds(d);
}

void SimulatedClock::SetTime(absl::Time wall) {
  wall_offset_ns = absl::ToUnixNanos(wall) - mono_ns.load();
}

void SimulatedClock::Suspend(absl::Duration d) {
  boot_offset_ns += absl::ToInt64Nanoseconds(d);
  wall_offset_ns += absl::ToInt64Nanoseconds(d);
}

void SimulatedClock::AutoAdvance(absl::Duration d) {
  step_ns = absl::ToInt64Nanoseconds(d);
}

void SimulatedClock::FailReadings(int error) { failure = error; }

int64_t SimulatedClock::readings() const { return readings_made.load(); }

}  // namespace runtime
