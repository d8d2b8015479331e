#ifndef EXAMPLES_FIBER_SIGNALS_H_
#define EXAMPLES_FIBER_SIGNALS_H_

#include <signal.h>
#include <time.h>

#include <vector>

#include "absl/time/time.h"
#include "examples/fiber/worker.h"

namespace fibers {

// ProcessSignals installs the handlers, and samples the process by SIGPROF. The
// thread that makes it, and those that this thread starts, have the signals
// blocked: only a thread with WorkerSignals can take them.
class ProcessSignals {
 public:
  // every: of CPU time; 0 for never. The kernel rounds it up to its tick.
  explicit ProcessSignals(absl::Duration every);
  ~ProcessSignals();
  ProcessSignals(const ProcessSignals&) = delete;
  ProcessSignals& operator=(const ProcessSignals&) = delete;

 private:
  sigset_t old_mask_;
};

// WorkerSignals lets the calling thread take signals, on a stack of their own,
// and asks it again and again to make its fiber yield.
class WorkerSignals {
 public:
  // every: of real time; 0 for never.
  WorkerSignals(Worker* worker, absl::Duration every);
  ~WorkerSignals();
  WorkerSignals(const WorkerSignals&) = delete;
  WorkerSignals& operator=(const WorkerSignals&) = delete;

 private:
  std::vector<char> stack_;
  timer_t timer_;
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_SIGNALS_H_
