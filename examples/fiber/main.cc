// A small runtime that embeds nanotime: an M:N scheduler of fibers on 2 KiB
// stacks, each switch stamped with the time, under preemption and a profiler.
//
//   bazelw run -c opt //examples/fiber
//
// Read in this order:
//
//   scheduler.cc   a worker thread attaches: all that embedding takes
//   fiber.cc       a switch, and when a fiber may change threads
//   signals.cc     what handlers may do, and where they were
//   stack_pool.cc  stacks with guard pages
//   work.cc        what the fibers do meanwhile

#include <stdint.h>

#include <cstdio>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "examples/fiber/clock.h"
#include "examples/fiber/die.h"
#include "examples/fiber/flags.h"
#include "examples/fiber/scheduler.h"
#include "examples/fiber/work.h"
#include "runtime/time/clock.h"

namespace fibers {
namespace {

// Brief leaves out digits that no two runs share.
std::string Brief(absl::Duration duration) {
  absl::Duration unit = absl::Nanoseconds(1);
  while (duration >= 1000 * unit) unit *= 10;
  return absl::FormatDuration(absl::Trunc(duration, unit));
}

void PrintStart(const Flags& flags) {
  const Options& options = flags.options;
  absl::PrintF(
      "%s: %d fibers, at most %d at a time, on %d workers\n"
      "clock                %s%s\n",
      absl::FormatTime(runtime::ToAbslTime(runtime::walltime())),
      options.fibers, options.live, options.workers,
      flags.libc ? "libc" : "nanotime",
      flags.probe ? ", through a vDSO that touches a page below its frame"
                  : "");
  // A fiber that overflows will end the program at once.
  std::fflush(stdout);
}

void PrintReport(const Report& report, absl::Duration elapsed) {
  absl::PrintF("fibers finished      %d in %s\n", report.finished,
               Brief(elapsed));
  absl::PrintF("run-queue latency    ");
  for (const double percent : {50.0, 90.0, 99.0, 99.9}) {
    absl::PrintF("p%g %s, ", percent,
                 Brief(absl::Nanoseconds(report.latency.Percentile(percent))));
  }
  absl::PrintF("max %s\n", Brief(absl::Nanoseconds(report.latency.max_ns())));
  absl::PrintF("switches             %d, %d to another worker than before\n",
               report.switches, report.migrations);
  absl::PrintF(
      "preemption requests  %d, %d inside a reading; %d fibers yielded\n",
      report.preemption_requests, report.requests_inside_reading,
      report.preemptions);
  absl::PrintF(
      "profiler samples     %d, %d inside a reading, its caller known for %d; "
      "%d elsewhere in the vDSO\n",
      report.samples, report.samples_inside_reading, report.samples_with_caller,
      report.samples_elsewhere_in_vdso);
  absl::PrintF("greatest stack use   %d of %d bytes\n",
               report.greatest_stack_use, kStackSize);
}

// AddsUp looks for what must not happen, and prints it.
bool AddsUp(const Flags& flags, const Report& report) {
  const int64_t fibers = flags.options.fibers;
  const struct {
    const char* what;
    int64_t got;
    int64_t want;
  } kChecks[] = {
      {"fibers finished", report.finished, fibers},
      {"switches", report.switches,
       fibers * (flags.yields + 1) + report.preemptions},
      {"latencies", report.latency.count(), report.switches},
      {"times the clock went back", report.clock_went_back, 0},
      {"fibers whose stack was written by others", report.damaged, 0},
      {"stacks written above their top", report.broken_canaries, 0},
  };
  bool good = true;
  for (const auto& check : kChecks) {
    if (check.got == check.want) continue;
    absl::FPrintF(stderr, "fiber: %s: %d instead of %d\n", check.what,
                  check.got, check.want);
    good = false;
  }
  return good;
}

int Main(int argc, char** argv) {
  const Flags flags = ParseFlags(argc, argv);
  if (flags.probe && !flags.libc) UseProbingVdso();
  PrintStart(flags);
  const int64_t start_ns = runtime::nanotime();
  const Report report = RunFibers(
      flags.options, [&flags](Fiber* self) { Work(self, flags.yields); });
  PrintReport(report, runtime::ToAbslDuration(runtime::nanotime() - start_ns));
  if (std::fflush(stdout) != 0) Die("standard output");
  return AddsUp(flags, report) ? 0 : kExitFailed;
}

}  // namespace
}  // namespace fibers

int main(int argc, char** argv) { return fibers::Main(argc, argv); }
