#ifndef EXAMPLES_FIBER_WORKER_H_
#define EXAMPLES_FIBER_WORKER_H_

#include <stdint.h>
#include <ucontext.h>

#include <atomic>

#include "examples/fiber/latency_histogram.h"

namespace fibers {

class Fiber;

// SignalCounts are written by the handlers of one thread. A lock-free atomic is
// what a handler may share with the code that it interrupts.
struct SignalCounts {
  std::atomic<int> preemption_requests{0};
  std::atomic<int> requests_inside_reading{0};
  std::atomic<int> samples{0};
  std::atomic<int> samples_inside_reading{0};
  std::atomic<int> samples_with_caller{0};  // of those inside a reading
  std::atomic<int> samples_elsewhere_in_vdso{0};
  std::atomic<int> clock_went_back{0};
};

// Worker is what a thread that runs fibers shares with the fiber that it runs
// and with its signal handlers. Each has cache lines of its own.
struct alignas(64) Worker {
  ucontext_t context;  // of the thread's own stack, while a fiber runs
  std::atomic<Fiber*> running{nullptr};
  std::atomic<bool> yield_requested{false};
  SignalCounts signals;
  int64_t last_sample_ns = 0;  // the handler's own

  // Only the thread itself writes these, on whatever stack.
  LatencyHistogram latency;
  int64_t switches = 0;    // to a fiber; as many lead back
  int64_t migrations = 0;  // of these, to one that last ran elsewhere
  int64_t preemptions = 0;
  int64_t finished = 0;
  int64_t clock_went_back = 0;
  int64_t damaged = 0;  // fibers that did not find what they had left
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_WORKER_H_
