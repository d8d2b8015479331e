#include "examples/fiber/scheduler.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>  // NOLINT(build/c++11)
#include <vector>

#include "examples/fiber/die.h"
#include "examples/fiber/run_queue.h"
#include "examples/fiber/signals.h"
#include "examples/fiber/stack_pool.h"
#include "examples/fiber/worker.h"
#include "runtime/time/time.h"

namespace fibers {
namespace {

// Attachment lends the calling thread's readings a stack, whatever fiber makes
// them: it belongs to the thread's M, and fibers come and go.
class Attachment {
 public:
  Attachment() {
    // The smallest will do, since all signal handlers have SA_ONSTACK.
    const int error = runtime_attachAlloc(RUNTIME_VDSO_STACK_MIN);
    if (error != 0) {
      errno = -error;
      Die("runtime_attachAlloc");
    }
  }
  ~Attachment() { runtime_detachFree(); }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
};

class Scheduler {
 public:
  Scheduler(const Options& options, const Fiber::Body& body)
      : options_(options),
        body_(body),
        stacks_(std::min(options.live, options.fibers)),
        workers_(static_cast<size_t>(options.workers)),
        unfinished_(options.fibers) {}

  void Run() {
    // Before the signals are blocked: fibers inherit this thread's mask.
    for (int i = 0; i < options_.live; ++i) Spawn();
    const ProcessSignals signals(options_.profile_every);
    std::vector<std::thread> threads;
    for (Worker& worker : workers_) {
      threads.emplace_back([this, &worker] { RunWorker(&worker); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Report Sum() const;

 private:
  // Spawn makes the next fiber, if there is one to be made. There is a stack
  // for it, because at the beginning there are options_.live, and later on one
  // fiber is made for each that is done.
  void Spawn() {
    const int id = spawned_.fetch_add(1, std::memory_order_relaxed);
    if (id >= options_.fibers) return;
    queue_.Push(new Fiber(id, stacks_.Acquire(), options_.clock, &body_));
  }

  void RunWorker(Worker* worker) {
    // Attaching looks at what signal stack the thread has.
    const WorkerSignals signals(worker, options_.preempt_every);
    const Attachment attachment;
    while (Fiber* const fiber = queue_.Pop()) Dispatch(worker, fiber);
  }

  void Dispatch(Worker* worker, Fiber* fiber) {
    // A request that came too late for the last fiber is not meant for this.
    worker->yield_requested.store(false, std::memory_order_relaxed);
    fiber->Resume(worker);
    ++worker->switches;
    const int64_t waited_ns = fiber->waited_ns();
    if (waited_ns < 0) ++worker->clock_went_back;
    worker->latency.Record(std::max<int64_t>(waited_ns, 0));
    if (!fiber->done()) {
      queue_.Push(fiber);
      return;
    }
    ++worker->finished;
    stacks_.Release(fiber->stack());
    delete fiber;
    Spawn();
    if (unfinished_.fetch_sub(1) == 1) queue_.Close();
  }

  const Options options_;
  const Fiber::Body& body_;
  StackPool stacks_;
  RunQueue queue_;
  std::vector<Worker> workers_;
  std::atomic<int> spawned_{0};
  std::atomic<int> unfinished_;
};

Report Scheduler::Sum() const {
  Report sum;
  for (const Worker& worker : workers_) {
    sum.latency.Merge(worker.latency);
    sum.switches += worker.switches;
    sum.migrations += worker.migrations;
    sum.preemptions += worker.preemptions;
    sum.finished += worker.finished;
    sum.clock_went_back += worker.clock_went_back;
    sum.damaged += worker.damaged;
    const SignalCounts& signals = worker.signals;
    sum.preemption_requests += signals.preemption_requests;
    sum.requests_inside_reading += signals.requests_inside_reading;
    sum.samples += signals.samples;
    sum.samples_inside_reading += signals.samples_inside_reading;
    sum.samples_with_caller += signals.samples_with_caller;
    sum.samples_elsewhere_in_vdso += signals.samples_elsewhere_in_vdso;
    sum.clock_went_back += signals.clock_went_back;
  }
  sum.greatest_stack_use = stacks_.greatest_use();
  sum.broken_canaries = stacks_.broken_canaries();
  return sum;
}

}  // namespace

Report RunFibers(const Options& options, const Fiber::Body& body) {
  Scheduler scheduler(options, body);
  scheduler.Run();
  return scheduler.Sum();
}

}  // namespace fibers
