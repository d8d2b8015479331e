#include "runtime/time/any_clock.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/time/clocks.h"

namespace runtime {
namespace {

absl::StatusOr<absl::Duration> Result(int64_t ns, int error, const char* what,
                                      int32_t clockid) {
  if (error == 0) return absl::Nanoseconds(ns);
  return absl::ErrnoToStatus(-error, absl::StrCat(what, " clock ", clockid));
}

}  // namespace

absl::StatusOr<absl::Duration> ReadClock(int32_t clockid) {
  int error;
  const int64_t ns = runtime_clockNs(clockid, &error);
  return Result(ns, error, "reading", clockid);
}

absl::StatusOr<absl::Duration> ClockResolution(int32_t clockid) {
  int error;
  const int64_t ns = runtime_clockResNs(clockid, &error);
  return Result(ns, error, "resolution of", clockid);
}

}  // namespace runtime
