// signal_storm [--seconds=N] [--threads=N]: the storm of storm.h, as long as
// you like.

#include <iostream>

#include "absl/flags/flag.h"
#include "absl/time/time.h"
#include "tests/storm.h"
#include "tools/command_line.h"

using Seconds = runtime::Number<1, 86400>;
using Threads = runtime::Number<1, 256>;

ABSL_FLAG(Seconds, seconds, {20}, "how long the storm lasts");
ABSL_FLAG(Threads, threads, {8}, "threads that read the clocks");

int main(int argc, char** argv) {
  runtime::ParseCommandLine(
      argc, argv,
      "reads the clocks on small stacks, under all the signals that this "
      "machine can send.\nExit code: 0; 1, something was torn, lost or "
      "damaged; "
      "2, a wrong flag.",
      "tests/signal_storm.cc");
  runtime::StormOptions options;
  options.duration = absl::Seconds(absl::GetFlag(FLAGS_seconds).value);
  options.threads = absl::GetFlag(FLAGS_threads).value;
  std::cerr << "A storm of " << absl::FormatDuration(options.duration)
            << " over " << options.threads << " threads.\n";
  const runtime::StormCounts counts = runtime::RunStorm(options);
  std::cout << counts.Table();
  std::cerr << counts.Faults();
  return counts.Faults().empty() ? 0 : 1;
}
