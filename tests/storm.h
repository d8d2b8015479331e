// Threads that read the clocks on small stacks under all the signals that the
// machine can send, and what is looked at meanwhile.

#ifndef TESTS_STORM_H_
#define TESTS_STORM_H_

#include <stdint.h>

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/time/time.h"

namespace runtime {

struct StormOptions {
  int threads = 8;
  absl::Duration duration = absl::Seconds(1);
};

// StormCounts is what happened, and what should not have.
struct StormCounts {
  int64_t readings = 0;          // in the main flow, of each kind
  int64_t profiler_signals = 0;  // SIGPROF, by CPU time of the process
  int64_t timer_signals = 0;     // each thread's own timer
  int64_t thread_signals = 0;    // tgkill
  int64_t queued = 0;            // real-time signals that the kernel took
  int64_t queued_handled = 0;    // must be the same
  int64_t inside_readings = 0;   // handlers that interrupted a reading
  int64_t inside_handlers = 0;   // ... of another handler
  int64_t in_vdso = 0;           // handlers that interrupted the vDSO
  int64_t unwound = 0;           // from a handler, inside a reading
  int64_t torn = 0;              // a frame that is none of ours
  int64_t lost_caller = 0;       // unwound, and did not find the caller
  int64_t backwards = 0;         // time
  int64_t damaged = 0;           // stacks written around
  int64_t left_published = 0;    // readings that were not withdrawn

  // Faults returns what should not have been; "" for nothing.
  std::string Faults() const;
  // Table has a line for each count.
  std::string Table() const;
};

// RunStorm makes the storm. Threads: one at a time in the process.
StormCounts RunStorm(const StormOptions& options);

// StormFrames knows the readings of the storm's threads.
class StormFrames {
 public:
  // AddCall: a reading returns to pc.
  void AddCall(uintptr_t pc) { calls_.push_back(pc); }
  // AddStack: readings are made on the stack from lo to hi.
  void AddStack(uintptr_t lo, uintptr_t hi) { stacks_.push_back({lo, hi}); }

  // Knows tells whether runtime_vdsoFrame may say pc and sp.
  bool Knows(uintptr_t pc, uintptr_t sp) const;

 private:
  struct Range {
    uintptr_t lo;
    uintptr_t hi;
  };
  std::vector<uintptr_t> calls_;
  std::vector<Range> stacks_;
};

}  // namespace runtime

#endif  // TESTS_STORM_H_
