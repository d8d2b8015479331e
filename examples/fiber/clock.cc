#include "examples/fiber/clock.h"

#include <stddef.h>
#include <time.h>

#include "examples/fiber/die.h"
#include "runtime/sys/sys.h"
#include "runtime/time/route.h"

namespace fibers {
namespace {

constexpr int64_t kNanosPerSecond = 1000000000;
constexpr size_t kProbe = 4096;  // a page of amd64, GCC's STACK_CHECK_PROBE

// ProbingClockGettime has the vDSO function's C signature.
int ProbingClockGettime(int32_t clockid, runtime::KernelTimespec* ts) {
  volatile char probe[kProbe];
  probe[0] = 1;  // the lowest byte
  timespec now;
  if (clock_gettime(clockid, &now) != 0) return -1;
  *ts = {now.tv_sec, now.tv_nsec};
  return probe[0] - 1;
}

}  // namespace

int64_t LibcNanotime() {
  timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * kNanosPerSecond + ts.tv_nsec;
}

int64_t ProbingLibcNanotime() {
  runtime::KernelTimespec ts;
  ProbingClockGettime(CLOCK_MONOTONIC, &ts);
  return ts.sec * kNanosPerSecond + ts.nsec;
}

// SetRoutes is nanotime's own, for its tests: an embedder needs time.h only.
void UseProbingVdso() {
  if (!runtime::SetRoutes({{ProbingClockGettime}})) Die("SetRoutes");
}

}  // namespace fibers
