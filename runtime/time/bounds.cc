#include "runtime/time/bounds.h"

#include <asm/unistd.h>
#include <errno.h>
#include <linux/timex.h>

#include "runtime/sys/sys.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/discipline.h"

namespace runtime {
namespace {

constexpr int64_t kNanosPerMicro = 1000;

// kGrowthNs is what the kernel adds to maxerror once a second, and so what may
// not have been added yet.
constexpr int64_t kGrowthNs = 500'000;

// SetUnknown says what is known of a kernel that does not answer. Assignments:
// of an initializer, Clang may make a call of memcpy.
void SetUnknown(Discipline* result) {
  constexpr int64_t kUnknownMicros = INT64_MAX / kNanosPerMicro;
  result->state = TIME_ERROR;
  result->status = STA_UNSYNC;
  result->max_error_us = kUnknownMicros;
  result->est_error_us = kUnknownMicros;
  result->tai = 0;
}

template <typename Timex>
int Note(intptr_t state, const Timex& timex, Discipline* result) {
  if (state < 0) return static_cast<int>(state);
  result->state = static_cast<int>(state);
  result->status = timex.status;
  result->max_error_us = timex.maxerror;
  result->est_error_us = timex.esterror;
  result->tai = timex.tai;
  return 0;
}

int AskKernel(Discipline* result) {
  struct timex timex;
  timex.modes = 0;  // change nothing
  const intptr_t state = runtime_syscall(
      __NR_adjtimex, reinterpret_cast<intptr_t>(&timex), 0, 0, 0);
#ifndef __LP64__
  if (state == -ENOSYS) {  // a kernel without 32-bit times
    __kernel_timex timex64;
    timex64.modes = 0;
    return Note(runtime_syscall(__NR_clock_adjtime64, RUNTIME_CLOCK_REALTIME,
                                reinterpret_cast<intptr_t>(&timex64), 0, 0),
                timex64, result);
  }
#endif
  return Note(state, timex, result);
}

bool IsBefore(const runtime_Walltime& a, const runtime_Walltime& b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

// Shift returns wall + ns. |ns| is under a minute. Subtraction: a division of
// 64 bits would be libgcc's on 386 and arm.
runtime_Walltime Shift(runtime_Walltime wall, int64_t ns) {
  int64_t nsec = wall.nsec + ns;
  for (; nsec < 0; nsec += RUNTIME_NSEC_PER_SEC) --wall.sec;
  for (; nsec > RUNTIME_NSEC_MAX; nsec -= RUNTIME_NSEC_PER_SEC) ++wall.sec;
  wall.nsec = static_cast<int32_t>(nsec);
  return wall;
}

}  // namespace

void BoundsOf(const Discipline& discipline, const runtime_Walltime& before,
              const runtime_Walltime& after, runtime_WalltimeBounds* bounds) {
  bounds->status = discipline.status;
  bounds->state = discipline.state;
  bounds->maxErrorNs = discipline.max_error_us * kNanosPerMicro;
  bounds->estErrorNs = discipline.est_error_us * kNanosPerMicro;
  bounds->taiOffset = discipline.tai;
  bounds->synchronized =
      discipline.state != TIME_ERROR && (discipline.status & STA_UNSYNC) == 0
          ? 1
          : 0;
  if (bounds->synchronized == 0) {
    bounds->earliest = {INT64_MIN, 0};
    bounds->latest = {INT64_MAX, RUNTIME_NSEC_MAX};
    return;
  }
  const bool stepped_back = IsBefore(after, before);
  const int64_t error = bounds->maxErrorNs + kGrowthNs;
  bounds->earliest = Shift(stepped_back ? after : before, -error);
  bounds->latest = Shift(stepped_back ? before : after, error);
}

}  // namespace runtime

int runtime_walltimeBounds(runtime_WalltimeBounds* bounds) {
  runtime::Discipline discipline;
  runtime::SetUnknown(&discipline);
  const runtime_Walltime before = runtime_walltime();
  const int rc = runtime::AskKernel(&discipline);
  runtime::BoundsOf(discipline, before, runtime_walltime(), bounds);
  return rc;
}
