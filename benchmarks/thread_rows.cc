#include "benchmarks/thread_rows.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <memory>
#include <thread>  // NOLINT(build/c++11)

#include "runtime/time/clock.h"
#include "runtime/time/clocks.h"
#include "runtime/time/guard.h"

namespace runtime {
namespace {

using Batch = void (*)(size_t n);

// Companion is a thread on another CPU that makes a batch when it is told to.
// It spins until then, so that both begin within a fraction of a microsecond,
// and so lives no longer than a repetition: it would disturb the other rows.
class Companion {
 public:
  explicit Companion(cpu_set_t cpus) {
    CPU_CLR(sched_getcpu(), &cpus);
    thread_ = std::thread([this, cpus] {
      pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
      Serve();
    });
    Run([](size_t) {}, 0);  // it is there
  }
  ~Companion() {
    stop_.store(true);
    asked_.fetch_add(1);
    thread_.join();
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  // Run runs a batch here and there, and returns when both are done.
  void Run(Batch batch, size_t n) {
    batch_ = batch;
    n_ = n;
    const int number = asked_.fetch_add(1) + 1;
    batch(n);
    while (done_.load() != number) {
    }
  }

 private:
  void Serve() {
    for (int number = 1;; ++number) {
      while (asked_.load() != number) {
      }
      if (stop_.load()) return;
      batch_(n_);
      done_.store(number);
    }
  }

  std::thread thread_;
  std::atomic<int> asked_{0};  // batches
  std::atomic<int> done_{0};
  std::atomic<bool> stop_{false};
  Batch batch_ = nullptr;
  size_t n_ = 0;
};

cpu_set_t usable_cpus;
std::unique_ptr<Companion> companion;

void Start() { companion = std::make_unique<Companion>(usable_cpus); }
void Stop() { companion = nullptr; }

void Nanotime(size_t n) {
  Repeat(n, [] { return nanotime(); });
}

void TimeNow(size_t n) {
  Repeat(n, [] { return now(); });
}

void Guarded(size_t n) {
  Repeat(n, [] { return runtime_nanotimeGuarded(); });
}

template <Batch kBatch>
void Both(size_t n) {
  companion->Run(kBatch, n);
}

}  // namespace

std::vector<Row> ThreadRows() {
  if (sched_getaffinity(0, sizeof usable_cpus, &usable_cpus) != 0 ||
      CPU_COUNT(&usable_cpus) < 2) {
    return {};
  }
  return {{"BenchmarkNanotime/threads:2", Both<Nanotime>, Start, Stop},
          {"BenchmarkTimeNow/threads:2", Both<TimeNow>, Start, Stop},
          {"BenchmarkNanotimeGuarded/threads:2", Both<Guarded>, Start, Stop}};
}

}  // namespace runtime
