#include "examples/fiber/flags.h"

#include <stdlib.h>

#include <cstdio>
#include <iostream>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/marshalling.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "examples/fiber/die.h"
#include "runtime/time/time.h"

namespace fibers {
namespace {

// Values that know their limits: Abseil names the flag and prints the error.

template <int kMin, int kMax>
struct Number {
  int value;
};

template <int kMin, int kMax>
bool AbslParseFlag(absl::string_view text, Number<kMin, kMax>* number,
                   std::string* error) {
  if (absl::ParseFlag(text, &number->value, error) && number->value >= kMin &&
      number->value <= kMax) {
    return true;
  }
  *error = absl::StrCat("a number from ", kMin, " to ", kMax, ", please");
  return false;
}

template <int kMin, int kMax>
std::string AbslUnparseFlag(const Number<kMin, kMax>& number) {
  return absl::StrCat(number.value);
}

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

using Fibers = fibers::Number<1, 100000000>;
// Each has two mappings, and vm.max_map_count is 65530 by default.
using Live = fibers::Number<1, 30000>;
using Workers = fibers::Number<1, 256>;
using Yields = fibers::Number<0, 1000000000>;

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

bool parsed = false;
bool help_shown = false;

// CorrectExitCode tells a wrong flag from a run that failed and from --help:
// Abseil ends the program with code 1 for all.
void CorrectExitCode(int code, void*) {
  if (parsed || code != 1) return;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(help_shown ? 0 : kExitUsage);
}

bool IsOurs(absl::string_view file) {
  help_shown = true;
  return absl::EndsWith(file, "examples/fiber/flags.cc");
}

Clock ChosenClock(WhichClock clock, bool probe) {
  if (clock == WhichClock::kNanotime) return runtime_nanotime;
  return probe ? ProbingLibcNanotime : LibcNanotime;
}

}  // namespace

Flags ParseFlags(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "a fiber scheduler that embeds nanotime.\n\n"
      "Fibers on stacks of 2 KiB, each with a guard page, are switched between "
      "threads;\nevery switch is stamped with the time. Exit code: 0; 1, what "
      "ran does not add up;\n2, a wrong flag; 3, a fiber overflowed its "
      "stack.");
  absl::FlagsUsageConfig config;
  config.contains_help_flags = IsOurs;
  absl::SetFlagsUsageConfig(config);
  on_exit(CorrectExitCode, nullptr);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    std::cerr << "ERROR: Not a flag: '" << rest[1] << "'\n";
    std::exit(kExitUsage);
  }
  parsed = true;

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
