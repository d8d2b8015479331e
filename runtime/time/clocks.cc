#include "runtime/time/clocks.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/sys/sys.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/fatal.h"
#include "runtime/time/route.h"

namespace runtime {
namespace {

// The first and the last nanosecond of 64 bits.
constexpr KernelTimespec kFirst = {-9223372037, 145224192};
constexpr KernelTimespec kLast = {9223372036, 854775807};

// ToNanoseconds converts a normalised time. Errors: false when it does not fit.
bool ToNanoseconds(const KernelTimespec& ts, int64_t* ns) {
  if (ts.sec < kFirst.sec || (ts.sec == kFirst.sec && ts.nsec < kFirst.nsec) ||
      ts.sec > kLast.sec || (ts.sec == kLast.sec && ts.nsec > kLast.nsec)) {
    return false;
  }
  // A second nearer to 0, so that the product fits, too.
  *ns = ts.sec < 0 ? (ts.sec + 1) * RUNTIME_NSEC_PER_SEC +
                         (ts.nsec - RUNTIME_NSEC_PER_SEC)
                   : ts.sec * RUNTIME_NSEC_PER_SEC + ts.nsec;
  return true;
}

// Answer converts what came of asking about a clock.
int64_t Answer(int32_t clockid, int rc, const KernelTimespec& ts, int* error) {
  int64_t ns = INT64_MIN;
  if (rc == 0 && !ToNanoseconds(ts, &ns)) rc = -EOVERFLOW;
  if (error != nullptr) {
    *error = rc;
  } else if (rc != 0) {
    Fatal(clockid, rc);
  }
  return ns;
}

int GetRes(int32_t clockid, KernelTimespec* ts) {
  const auto get_res = [clockid](intptr_t number, void* result) {
    return static_cast<int>(runtime_syscall(
        number, clockid, reinterpret_cast<intptr_t>(result), 0, 0));
  };
#ifdef __LP64__
  return get_res(__NR_clock_getres, ts);
#else
  OldTimespec old;
  const int rc = get_res(__NR_clock_getres, &old);
  if (rc == -ENOSYS) return get_res(__NR_clock_getres_time64, ts);
  ts->sec = old.sec;
  ts->nsec = old.nsec;
  return rc;
#endif
}

}  // namespace

int64_t runtime_readClockSlow(int32_t clockid, int* error) {
  KernelTimespec ts;
  const int rc = ReadByAnyRoute(clockid, &ts);
  return Answer(clockid, rc, ts, error);
}

}  // namespace runtime

int64_t runtime_clockResNs(int32_t clockid, int* error) {
  runtime::KernelTimespec ts;
  const int rc = runtime::GetRes(clockid, &ts);
  return runtime::Answer(clockid, rc, ts, error);
}
