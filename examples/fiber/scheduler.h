#ifndef EXAMPLES_FIBER_SCHEDULER_H_
#define EXAMPLES_FIBER_SCHEDULER_H_

#include <stddef.h>
#include <stdint.h>

#include "absl/time/time.h"
#include "examples/fiber/clock.h"
#include "examples/fiber/fiber.h"
#include "examples/fiber/latency_histogram.h"

namespace fibers {

struct Options {
  int fibers;
  int live;  // at most so many at a time
  int workers;
  Clock clock;
  absl::Duration preempt_every;
  absl::Duration profile_every;
};

// Report is the sum over all workers.
struct Report {
  LatencyHistogram latency;  // from runnable to running
  int64_t switches = 0;
  int64_t migrations = 0;  // of these, to a fiber that last ran elsewhere
  int64_t preemptions = 0;
  int64_t finished = 0;
  int64_t clock_went_back = 0;
  int64_t damaged = 0;
  int64_t preemption_requests = 0;
  int64_t requests_inside_reading = 0;
  int64_t samples = 0;
  int64_t samples_inside_reading = 0;
  int64_t samples_with_caller = 0;
  int64_t samples_elsewhere_in_vdso = 0;
  size_t greatest_stack_use = 0;
  int broken_canaries = 0;
};

// RunFibers runs body on options.fibers fibers and returns when all are done.
Report RunFibers(const Options& options, const Fiber::Body& body);

}  // namespace fibers

#endif  // EXAMPLES_FIBER_SCHEDULER_H_
