// The rows. Each is a batch: a function that makes n readings in the one loop
// that all rows share (Repeat), so that ratios compare the readings alone. A
// batch is a whole repetition; what surrounds it, the switch to a small stack
// included, happens once in some thousand readings.
//
// What counts as a result: of ours, the numbers in registers, or in memory
// where the ABI returns them there; of the raw calls, the return code, for the
// time is in memory already and stays unconverted.

#include "benchmarks/readings.h"

#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <time.h>

#include <algorithm>
#include <chrono>  // NOLINT(build/c++11)

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmark/benchmark.h"
#include "benchmarks/clock_rows.h"
#include "benchmarks/cycle_counter.h"
#include "benchmarks/guarded_stack.h"
#include "benchmarks/keep.h"
#include "benchmarks/raw.h"
#include "benchmarks/repetition.h"
#include "benchmarks/row.h"
#include "benchmarks/thread_rows.h"
#include "runtime/time/clock.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"

namespace runtime {
namespace {

constexpr size_t kSmallStackSize = 4096;

Route raw_vdso;
Route raw_trap;

void TimeNow(size_t n) {
  Repeat(n, [] { return now(); });
}

void Nanotime(size_t n) {
  Repeat(n, [] { return nanotime(); });
}

void Walltime(size_t n) {
  Repeat(n, [] {
    const runtime_Walltime wall = walltime();
    Keep(wall.nsec);
    return wall.sec;
  });
}

void RawTrapMonotonic(size_t n) {
  KernelTimespec ts;
  Repeat(n, [route = raw_trap, &ts] { return route(CLOCK_MONOTONIC, &ts); });
}

void RawVdsoBoth(size_t n) {
  KernelTimespec mono;
  KernelTimespec wall;
  Repeat(n, [route = raw_vdso, &mono, &wall] {
    Keep(route(CLOCK_MONOTONIC, &mono));
    return route(CLOCK_REALTIME, &wall);
  });
}

void Libc(size_t n) {
  timespec ts;
  Repeat(n, [&ts] { return clock_gettime(CLOCK_MONOTONIC, &ts); });
}

void SteadyClock(size_t n) {
  Repeat(n, [] {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  });
}

void AbslNow(size_t n) {
  Repeat(n, [] { return absl::Now(); });
}

void Init(size_t n) {
  Repeat(n, [ehdr = getauxval(AT_SYSINFO_EHDR)] {
    return InitFromSysinfoEhdr(ehdr);
  });
}

void Counter(size_t n) {
  Repeat(n, [] { return static_cast<int64_t>(CycleCounter()); });
}

void Attach() {
  static const GuardedStack vdso_stack(RUNTIME_VDSO_STACK_MIN);
  runtime_attach(vdso_stack.base(), vdso_stack.size());
}

void RunBatch(const Row& row, size_t n) {
  static const GuardedStack small_stack(kSmallStackSize);
  if (row.small_stack) {
    small_stack.Run(row.batch, n);
  } else {
    row.batch(n);
  }
}

void Measure(double min_time, Row* row, benchmark::State* state) {
  if (row->small_stack) Attach();
  row->prepare();
  if (row->readings == 0) row->readings = FillingTime(min_time, row->batch);
  const auto n =
      std::max(state->max_iterations,
               static_cast<benchmark::IterationCount>(row->readings));
  while (state->KeepRunningBatch(n)) RunBatch(*row, static_cast<size_t>(n));
  row->finish();
  UseBestRoute();
  runtime_detach();
}

}  // namespace

Rows RegisterRows(double min_time, const std::function<void()>& before_each) {
  raw_vdso = RawVdso();
  raw_trap = RawTrap();

  std::vector<Row> rows;
  for (const bool small : {false, true}) {
    const char* suffix = small ? "/smallstack" : "";
    const std::string paths = "BenchmarkClockVDSOAndFallbackPaths/";
    const auto add = [&](const std::string& name, void (*batch)(size_t),
                         void (*prepare)()) {
      rows.push_back(
          {absl::StrCat(name, suffix), batch, prepare, Nothing, small});
    };
    add("BenchmarkTimeNow", TimeNow, Nothing);
    add("BenchmarkNanotime", Nanotime, Nothing);
    add("BenchmarkWalltime", Walltime, Nothing);
    add(paths + "vDSO", Nanotime, UseBestRoute);
    add(paths + "Fallback", Nanotime, UseTrapRoute);
  }
  rows.push_back({"BenchmarkInit", Init});
  for (const Row& row : ClockRows(raw_vdso)) rows.push_back(row);
  const std::vector<Row> thread_rows = ThreadRows();
  rows.insert(rows.end(), thread_rows.begin(), thread_rows.end());
  rows.push_back({"Baseline/RawVDSO/MONOTONIC+REALTIME", RawVdsoBoth});
  rows.push_back({"Baseline/RawSyscall/MONOTONIC", RawTrapMonotonic});
#ifdef __i386__
  rows.push_back({"Baseline/Int80/MONOTONIC", RawTrapMonotonic, UseInt80});
#endif
  rows.push_back({"Baseline/Libc/MONOTONIC", Libc});
  rows.push_back({"Baseline/SteadyClock", SteadyClock});
  rows.push_back({"Baseline/AbslNow", AbslNow});
  rows.push_back({"Baseline/CycleCounter", Counter});

  Rows result;
  if (raw_vdso == nullptr) {
    result.left_out.push_back(
        "rows with vDSO in their name: no vDSO with a usable clock_gettime "
        "here.");
  }
  if (thread_rows.empty()) {
    result.left_out.push_back(
        "rows with threads:2 in their name: one CPU only, for this process.");
  }
  const bool has_counter = HaveCycleCounter();
  if (!has_counter) {
    result.left_out.push_back(
        "Baseline/CycleCounter: user space may not read the counter here.");
  }
  for (Row& row : rows) {
    if (raw_vdso == nullptr && (absl::StrContains(row.name, "/RawVDSO/") ||
                                absl::StrContains(row.name, "/vDSO"))) {
      continue;
    }
    if (row.batch == Counter && !has_counter) continue;
    benchmark::RegisterBenchmark(
        row.name.c_str(),
        [min_time, row, before_each](benchmark::State& state) mutable {
          before_each();
          Measure(min_time, &row, &state);
        })
        ->ComputeStatistics("min", Min);
    ++result.count;
  }
  if (raw_vdso == nullptr) {
    result.scales = {{"", "Baseline/RawSyscall/MONOTONIC", "", "x-syscall"}};
    return result;
  }
  for (const char* clock : {"REALTIME_COARSE", "MONOTONIC_COARSE"}) {
    result.scales.push_back({absl::StrCat("BenchmarkClockNs/", clock),
                             absl::StrCat("Baseline/RawVDSO/", clock), "",
                             "x-vdso-coarse"});
  }
  result.scales.push_back({"", "Baseline/RawVDSO/MONOTONIC", "", "x-vdso"});
  return result;
}

}  // namespace runtime
