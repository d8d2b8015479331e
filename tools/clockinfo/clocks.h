// The clocks themselves: whether they stay in user space, and what they cost.

#ifndef TOOLS_CLOCKINFO_CLOCKS_H_
#define TOOLS_CLOCKINFO_CLOCKS_H_

#include <atomic>
#include <functional>
#include <vector>

#include "absl/time/time.h"
#include "runtime/time/route.h"
#include "tools/clockinfo/facts.h"

namespace runtime {

// AllClocks returns the clocks that are reported, of which nothing is known
// yet.
std::vector<ClockFacts> AllClocks();

// ProveUserSpace finds out for each clock whether a route reads it without a
// system call: in a child whose filter lets all that read clocks fail. Unknown
// where there can be no such filter (an emulator, a sandbox), or the child
// dies.
void ProveUserSpace(Route route, std::vector<ClockFacts>* clocks);

// MeasureOptions say how long to measure, and whom to tell.
struct MeasureOptions {
  absl::Duration time;
  const std::atomic<bool>* stop;   // set by a signal handler
  std::function<void()> progress;  // called now and then
};

// Measure reads each clock by each kind of route that this process has, in
// turn, with the library's own entry point, and fills in resolutions, errors,
// costs and the counter's cost. It ends sooner when *stop becomes true;
// facts->interrupted then. The routes are afterwards as before.
void Measure(const MeasureOptions& options, Facts* facts);

}  // namespace runtime

#endif  // TOOLS_CLOCKINFO_CLOCKS_H_
