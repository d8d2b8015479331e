// How this machine reads its clocks, what that costs, and what to do about it.

#include <signal.h>

#include <atomic>
#include <iostream>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/progress.h"
#include "tools/clockinfo/clocks.h"
#include "tools/clockinfo/facts.h"
#include "tools/clockinfo/machine.h"
#include "tools/clockinfo/report.h"
#include "tools/command_line.h"

ABSL_FLAG(bool, json, false, "print a JSON object instead of text");
using Seconds = runtime::Number<0, 3600>;
ABSL_FLAG(Seconds, seconds, {2}, "how long to measure");

namespace {

constexpr char kUsage[] =
    "How this machine reads its clocks, what that costs, and what to do when "
    "that is slow.\n"
    "\n"
    "Whether a clock stays in user space is proved, in a child whose seccomp "
    "filter lets the clock syscalls fail. Ctrl-C ends measuring early and "
    "prints "
    "what there is.\n"
    "\n"
    "Exit code: 0; 1 when a clock that a vDSO can serve is read by a system "
    "call; 2 for a wrong flag; 130 after Ctrl-C.";

constexpr int kExitFallsBack = 1;
constexpr int kExitInterrupted = 130;  // as shells report SIGINT

std::atomic<bool> stop{false};

void OnInterrupt(int /*signal*/) { stop.store(true); }

}  // namespace

int main(int argc, char** argv) {
  runtime::ParseCommandLine(argc, argv, kUsage, "tools/clockinfo/main.cc");
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  // A second one ends the program.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);

  runtime::Facts facts;
  facts.clocks = runtime::AllClocks();
  runtime::GatherMachine(&facts);
  runtime::ProveUserSpace(runtime::runtime_route.in_use.load(), &facts.clocks);

  const absl::Duration time = absl::Seconds(absl::GetFlag(FLAGS_seconds).value);
  runtime::Progress progress;
  progress.Start(absl::StrCat("for ", absl::FormatDuration(time)), 0);
  runtime::Measure({time, &stop, [&progress] { progress.Tick(); }}, &facts);
  progress.Finish();

  std::cout << (absl::GetFlag(FLAGS_json) ? runtime::JsonReport(facts)
                                          : runtime::TextReport(facts));
  std::cout.flush();
  if (facts.interrupted) return kExitInterrupted;
  return facts.FallsBack() ? kExitFallsBack : 0;
}
