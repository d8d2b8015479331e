#include "examples/fiber/flags.h"

#include "absl/flags/flag.h"
#include "absl/flags/marshalling.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/time/time.h"
#include "tools/command_line.h"

namespace fibers {
namespace {

// Values that know their limits: Abseil names the flag and prints the error.

struct Period {
  absl::Duration value;
};

bool AbslParseFlag(absl::string_view text, Period* period, std::string* error) {
  if (absl::ParseFlag(text, &period->value, error) &&
      (period->value == absl::ZeroDuration() ||
       (period->value >= absl::Microseconds(100) &&
        period->value <= absl::Hours(1)))) {
    return true;
  }
  *error = "a duration from 100us to 1h, please, or 0 for never";
  return false;
}

std::string AbslUnparseFlag(const Period& period) {
  return absl::FormatDuration(period.value);
}

enum class WhichClock { kNanotime, kLibc };

bool AbslParseFlag(absl::string_view text, WhichClock* clock,
                   std::string* error) {
  *clock = text == "libc" ? WhichClock::kLibc : WhichClock::kNanotime;
  if (text == "libc" || text == "nanotime") return true;
  *error = "nanotime or libc, please";
  return false;
}

std::string AbslUnparseFlag(WhichClock clock) {
  return clock == WhichClock::kLibc ? "libc" : "nanotime";
}

}  // namespace
}  // namespace fibers

using Fibers = runtime::Number<1, 100000000>;
// Each has two mappings, and vm.max_map_count is 65530 by default.
using Live = runtime::Number<1, 30000>;
using Workers = runtime::Number<1, 256>;
using Yields = runtime::Number<0, 1000000000>;

ABSL_FLAG(Fibers, fibers, {100000}, "how many fibers run in all");
ABSL_FLAG(Live, live, {4000}, "at most so many fibers at a time");
ABSL_FLAG(Workers, workers, {2}, "threads that run them");
ABSL_FLAG(Yields, yields, {10}, "how often each fiber yields of itself");
ABSL_FLAG(fibers::WhichClock, clock, fibers::WhichClock::kNanotime,
          "what stamps the switches, nanotime or libc: runtime_nanotime, or "
          "glibc's clock_gettime on the fiber's own stack");
ABSL_FLAG(bool, probe, false,
          "let the vDSO touch a page below its frame, as that of a kernel "
          "built with -fstack-check does");
ABSL_FLAG(fibers::Period, preempt_every, {absl::Milliseconds(1)},
          "how often the running fibers are asked to yield; 0: never");
ABSL_FLAG(fibers::Period, profile_every, {absl::Milliseconds(1)},
          "CPU time between two of the profiler's signals; 0: never");

namespace fibers {
namespace {

Clock ChosenClock(WhichClock clock, bool probe) {
  if (clock == WhichClock::kNanotime) return runtime_nanotime;
  return probe ? ProbingLibcNanotime : LibcNanotime;
}

}  // namespace

Flags ParseFlags(int argc, char** argv) {
  runtime::ParseCommandLine(
      argc, argv,
      "a fiber scheduler that embeds nanotime.\n\n"
      "Fibers on stacks of 2 KiB, each with a guard page, are switched between "
      "threads;\nevery switch is stamped with the time. Exit code: 0; 1, what "
      "ran does not add up;\n2, a wrong flag; 3, a fiber overflowed its "
      "stack.",
      "examples/fiber/flags.cc");

  Flags flags = {};
  flags.probe = absl::GetFlag(FLAGS_probe);
  flags.yields = absl::GetFlag(FLAGS_yields).value;
  const WhichClock clock = absl::GetFlag(FLAGS_clock);
  flags.libc = clock == WhichClock::kLibc;
  flags.options.clock = ChosenClock(clock, flags.probe);
  flags.options.fibers = absl::GetFlag(FLAGS_fibers).value;
  flags.options.live = absl::GetFlag(FLAGS_live).value;
  flags.options.workers = absl::GetFlag(FLAGS_workers).value;
  flags.options.preempt_every = absl::GetFlag(FLAGS_preempt_every).value;
  flags.options.profile_every = absl::GetFlag(FLAGS_profile_every).value;
  return flags;
}

}  // namespace fibers
