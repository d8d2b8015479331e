// The rows. Each is a batch: n steps, of some loads and one reading. The row
// "none" has the same loop without the reading.

#include "benchmarks/in_situ_rows.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "benchmarks/clock_readings.h"
#include "benchmarks/raw.h"
#include "benchmarks/repetition.h"
#include "benchmarks/working_set.h"

namespace runtime {
namespace {

// kWarmUp steps precede a repetition: the row before it may have been one of
// another set. They fill the first level's cache; a larger set is not to be in
// any.
constexpr size_t kWarmUp = 1024;

struct ReadNothing {
  void operator()() {}
};

// Batch is the one loop of all rows.
template <typename Work, typename Reading>
void Batch(WorkingSet* set, Reading reading, size_t n) {
  Work work(set);
  for (; n != 0; --n) {
    work.Step();
    reading();
  }
}

struct Row {
  std::string name;
  std::shared_ptr<WorkingSet> set;
  std::function<void(size_t n)> batch;
  size_t steps = 0;  // in a repetition; 0: not known yet
};

void Measure(double min_time, Row* row, benchmark::State* state) {
  if (!row->set->Allocate()) {
    state->SkipWithError("not so much memory here");
    return;
  }
  row->batch(kWarmUp);
  if (row->steps == 0) row->steps = FillingTime(min_time, row->batch);
  const auto n = std::max(state->max_iterations,
                          static_cast<benchmark::IterationCount>(row->steps));
  while (state->KeepRunningBatch(n)) row->batch(static_cast<size_t>(n));
}

template <typename Work, typename Reading>
Row NewRow(const std::string& name, const std::shared_ptr<WorkingSet>& set,
           Reading reading) {
  return {name, set, [set, reading](size_t n) {
            Batch<Work, Reading>(set.get(), reading, n);
          }};
}

// AddRows adds those of one kind of work in one set.
template <typename Work>
void AddRows(const std::string& prefix, const std::shared_ptr<WorkingSet>& set,
             Route raw_vdso, std::vector<Row>* rows) {
  rows->push_back(NewRow<Work>(prefix + "none", set, ReadNothing{}));
  rows->push_back(NewRow<Work>(prefix + "nanotime", set, ReadNanotime{}));
  rows->push_back(NewRow<Work>(prefix + "walltime", set, ReadWalltime{}));
  rows->push_back(NewRow<Work>(prefix + "now", set, ReadNow{}));
  rows->push_back(
      raw_vdso != nullptr
          ? NewRow<Work>(prefix + "RawVDSO", set, ReadRaw{raw_vdso})
          : NewRow<Work>(prefix + "RawSyscall", set, ReadRaw{RawTrap()}));
  rows->push_back(NewRow<Work>(prefix + "libc", set, ReadLibc{}));
}

}  // namespace

Rows RegisterInSituRows(const std::vector<SetSize>& sizes, double min_time,
                        const std::function<void()>& before_each) {
  const Route raw_vdso = RawVdso();
  Rows result;
  if (raw_vdso == nullptr) {
    result.left_out.push_back(
        "rows with VDSO in their name: no vDSO with a usable clock_gettime "
        "here.");
  }
  std::vector<Row> rows;
  for (const SetSize& size : sizes) {
    const auto set = std::make_shared<WorkingSet>(size.bytes);
    const auto prefix = [&size](const char* work) {
      return absl::StrCat("BenchmarkInSitu/", work, "/", size.name, "/");
    };
    AddRows<WorkingSet::Chase>(prefix("chase"), set, raw_vdso, &rows);
    AddRows<WorkingSet::Loads>(prefix("loads"), set, raw_vdso, &rows);
    for (const char* work : {"chase", "loads"}) {
      const std::string name = prefix(work);
      result.scales.push_back(
          {name, absl::StrCat(name, raw_vdso ? "RawVDSO" : "RawSyscall"),
           name + "none", raw_vdso ? "x-vdso" : "x-syscall"});
    }
  }
  for (Row& row : rows) {
    benchmark::RegisterBenchmark(
        row.name.c_str(),
        [min_time, row, before_each](benchmark::State& state) mutable {
          before_each();
          Measure(min_time, &row, &state);
        })
        ->ComputeStatistics("min", Min);
  }
  result.count = static_cast<int>(rows.size());
  return result;
}

}  // namespace runtime
