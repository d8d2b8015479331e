#include "benchmarks/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_format.h"

namespace runtime {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval(500);
constexpr std::chrono::seconds kLineInterval(5);

}  // namespace

void Progress::Start(const std::string& what, int64_t ticks) {
  running_ = true;
  terminal_ = isatty(STDERR_FILENO) != 0;
  ticks_ = ticks;
  std::cerr << "Measuring " << what << ".\n";
  start_ = Clock::now();
  next_ = start_ + Interval();
}

void Progress::Tick() {
  ++done_;
  const Clock::time_point now = Clock::now();
  if (!running_ || now < next_) return;
  next_ = now + Interval();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = absl::StrFormat("%3.0f s", seconds);
  if (ticks_ > 0) {
    absl::StrAppendFormat(&text, ", %d %%",
                          std::min<int64_t>(100 * done_ / ticks_, 100));
  }
  // On a terminal the cursor waits at the line's start: the rows overwrite it.
  std::cerr << text << (terminal_ ? '\r' : '\n') << std::flush;
}

void Progress::Finish() {
  if (running_ && terminal_) std::cerr << "\x1b[K" << std::flush;
  running_ = false;
}

Progress::Clock::duration Progress::Interval() const {
  if (terminal_) return kTerminalInterval;
  return kLineInterval;
}

}  // namespace runtime
