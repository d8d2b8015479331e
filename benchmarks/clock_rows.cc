#include "benchmarks/clock_rows.h"

#include <time.h>

#include "runtime/sys/sys.h"
#include "runtime/time/clocks.h"
#include "runtime/time/guard.h"

namespace runtime {
namespace {

Route raw;

template <int64_t (*kRead)(int* error)>
void Own(size_t n) {
  int error;
  Repeat(n, [&error] { return kRead(&error); });
}

// The id is not a constant to the compiler, as it is none to a general
// function.
template <int32_t kClockid>
void ById(size_t n) {
  volatile int32_t id = kClockid;
  const int32_t clockid = id;
  int error;
  Repeat(n, [clockid, &error] { return runtime_clockNs(clockid, &error); });
}

template <int32_t kClockid>
void Raw(size_t n) {
  KernelTimespec ts;
  Repeat(n, [route = raw, &ts] { return route(kClockid, &ts); });
}

void Guarded(size_t n) {
  Repeat(n, [] { return runtime_nanotimeGuarded(); });
}

}  // namespace

std::vector<Row> ClockRows(Route raw_vdso) {
  raw = raw_vdso;
  std::vector<Row> rows = {
      {"BenchmarkClockNs/REALTIME", Own<runtime_realtimeNs>},
      {"BenchmarkClockNs/MONOTONIC", Own<runtime_monotonicNs>},
      {"BenchmarkClockNs/MONOTONIC_RAW", Own<runtime_monotonicRawNs>},
      {"BenchmarkClockNs/REALTIME_COARSE", Own<runtime_realtimeCoarseNs>},
      {"BenchmarkClockNs/MONOTONIC_COARSE", Own<runtime_monotonicCoarseNs>},
      {"BenchmarkClockNs/BOOTTIME", Own<runtime_boottimeNs>},
      {"BenchmarkClockNs/TAI", Own<runtime_taiNs>},
      {"BenchmarkClockNs/byid/MONOTONIC", ById<CLOCK_MONOTONIC>},
      {"BenchmarkClockNs/byid/MONOTONIC_COARSE", ById<CLOCK_MONOTONIC_COARSE>},
      {"BenchmarkClockNs/byid/PROCESS_CPUTIME_ID",
       ById<CLOCK_PROCESS_CPUTIME_ID>},
      {"BenchmarkClockNs/byid/THREAD_CPUTIME_ID",
       ById<CLOCK_THREAD_CPUTIME_ID>},
      {"BenchmarkNanotimeGuarded", Guarded},
      {"BenchmarkSeedTable/realtime_ns", Own<runtime_realtimeNs>},
      {"BenchmarkSeedTable/monotonic_ns", Own<runtime_monotonicNs>},
      {"BenchmarkSeedTable/realtime_coarse_ns", Own<runtime_realtimeCoarseNs>},
      {"BenchmarkSeedTable/monotonic_coarse_ns",
       Own<runtime_monotonicCoarseNs>},
  };
  if (raw_vdso == nullptr) return rows;
  const std::vector<Row> raw_rows = {
      {"Baseline/RawVDSO/REALTIME", Raw<CLOCK_REALTIME>},
      {"Baseline/RawVDSO/MONOTONIC", Raw<CLOCK_MONOTONIC>},
      {"Baseline/RawVDSO/MONOTONIC_RAW", Raw<CLOCK_MONOTONIC_RAW>},
      {"Baseline/RawVDSO/REALTIME_COARSE", Raw<CLOCK_REALTIME_COARSE>},
      {"Baseline/RawVDSO/MONOTONIC_COARSE", Raw<CLOCK_MONOTONIC_COARSE>},
      {"Baseline/RawVDSO/BOOTTIME", Raw<CLOCK_BOOTTIME>},
      {"Baseline/RawVDSO/TAI", Raw<CLOCK_TAI>},
      {"BenchmarkSeedTable/realtime", Raw<CLOCK_REALTIME>},
      {"BenchmarkSeedTable/monotonic", Raw<CLOCK_MONOTONIC>},
      {"BenchmarkSeedTable/realtime_coarse", Raw<CLOCK_REALTIME_COARSE>},
      {"BenchmarkSeedTable/monotonic_coarse", Raw<CLOCK_MONOTONIC_COARSE>},
  };
  rows.insert(rows.end(), raw_rows.begin(), raw_rows.end());
  return rows;
}

}  // namespace runtime
