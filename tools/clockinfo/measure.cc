#include <time.h>

#include <chrono>  // NOLINT(build/c++11)

#include "benchmarks/cycle_counter.h"
#include "runtime/time/clocks.h"
#include "runtime/time/init.h"
#include "tools/clockinfo/clocks.h"

namespace runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBatch = 32;               // readings that are timed together
constexpr size_t kMostSamples = 20'000;  // of one clock by one route

// Stopwatch times batches by the counter, for the clock itself may stand still
// between two ticks; without a counter by the clock. Units: nanoseconds.
class Stopwatch {
 public:
  Stopwatch() : has_counter_(HaveCycleCounter()) {
    if (!has_counter_) return;
    constexpr std::chrono::milliseconds kLong(50);
    const Clock::time_point start = Clock::now();
    const uint64_t ticks = CycleCounter();
    Clock::time_point end;
    do {
      end = Clock::now();
    } while (end - start < kLong);
    ns_per_tick_ =
        std::chrono::duration<double, std::nano>(end - start).count() /
        static_cast<double>(CycleCounter() - ticks);
  }

  bool has_counter() const { return has_counter_; }

  // Time returns what one of a batch of calls takes.
  template <typename F>
  double Time(F f) const {
    const uint64_t ticks = has_counter_ ? CycleCounter() : 0;
    const Clock::time_point start =
        has_counter_ ? Clock::time_point() : Clock::now();
    for (int i = 0; i < kBatch; ++i) f();
    const double ns =
        has_counter_
            ? static_cast<double>(CycleCounter() - ticks) * ns_per_tick_
            : std::chrono::duration<double, std::nano>(Clock::now() - start)
                  .count();
    return ns / kBatch;
  }

 private:
  bool has_counter_;
  double ns_per_tick_ = 0;
};

// Way is a route of one kind, for all clocks.
struct Way {
  int kind;
  Route route;
};

bool MayBeCalled(const RouteCandidate& candidate, int verification,
                 const Facts& facts) {
  return candidate.kind == RUNTIME_ROUTE_SYSCALL ||
         (!facts.counter_forbidden && (verification == RUNTIME_VERIFY_NONE ||
                                       verification == RUNTIME_VERIFY_HELD));
}

// Ways returns the best route of each kind.
std::vector<Way> Ways(const Facts& facts) {
  std::vector<Way> ways;
  const InitState& init = LastInit();
  for (int i = 0; i < init.list.size; ++i) {
    const RouteCandidate& candidate = init.list.candidates[i];
    const bool has_one = !ways.empty() && ways.back().kind == candidate.kind;
    if (!has_one && MayBeCalled(candidate, init.verification[i], facts)) {
      ways.push_back({candidate.kind, candidate.route});
    }
  }
  return ways;
}

void Ask(ClockFacts* clock) {
  clock->resolution_ns = runtime_clockResNs(clock->clockid, &clock->error);
  runtime_clockNs(clock->clockid, &clock->error);
}

void Sample(const Stopwatch& stopwatch, int kind, ClockFacts* clock) {
  for (Cost& cost : clock->costs) {
    if (cost.kind != kind || cost.samples.size() == kMostSamples) continue;
    cost.samples.push_back(stopwatch.Time([clock] {
      int error;
      runtime_clockNs(clock->clockid, &error);
    }));
  }
}

double CounterCost(const Stopwatch& stopwatch) {
  constexpr int kTries = 1000;
  double best = 0;
  for (int i = 0; i < kTries && stopwatch.has_counter(); ++i) {
    const double ns = stopwatch.Time([] {
      const uint64_t ticks = CycleCounter();
      asm volatile("" : : "g"(ticks));
    });
    if (i == 0 || ns < best) best = ns;
  }
  return best;
}

}  // namespace

std::vector<ClockFacts> AllClocks() {
  return {
      {"REALTIME", CLOCK_REALTIME, true},
      {"MONOTONIC", CLOCK_MONOTONIC, true},
      {"MONOTONIC_RAW", CLOCK_MONOTONIC_RAW, true},
      {"REALTIME_COARSE", CLOCK_REALTIME_COARSE, true},
      {"MONOTONIC_COARSE", CLOCK_MONOTONIC_COARSE, true},
      {"BOOTTIME", CLOCK_BOOTTIME, true},
      {"TAI", CLOCK_TAI, true},
      {"PROCESS_CPUTIME_ID", CLOCK_PROCESS_CPUTIME_ID, false},
      {"THREAD_CPUTIME_ID", CLOCK_THREAD_CPUTIME_ID, false},
  };
}

void Measure(const MeasureOptions& options, Facts* facts) {
  const std::vector<Way> ways = Ways(*facts);
  for (ClockFacts& clock : facts->clocks) {
    Ask(&clock);
    if (clock.error != 0) continue;
    for (const Way& way : ways) clock.costs.push_back({way.kind, {}});
  }
  const Stopwatch stopwatch;
  facts->counter_ns = CounterCost(stopwatch);
  const auto end = Clock::now() + absl::ToChronoNanoseconds(options.time);
  // Once at least, so that there is a figure.
  do {
    for (const Way& way : ways) {
      SetRoutes({{way.route}});
      for (ClockFacts& clock : facts->clocks) {
        Sample(stopwatch, way.kind, &clock);
      }
    }
    options.progress();
  } while (Clock::now() < end && !options.stop->load());
  facts->interrupted = options.stop->load();
  runtime_forceRoute(facts->info.forced);
}

}  // namespace runtime
