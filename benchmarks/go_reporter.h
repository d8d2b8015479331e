#ifndef BENCHMARKS_GO_REPORTER_H_
#define BENCHMARKS_GO_REPORTER_H_

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"

namespace runtime {

// GoReporter prints results in Go's benchmark format, which benchstat reads:
//
//   BenchmarkNanotime-2    400000    24.35 ns/op    1.062 x-vdso
//
// One line a row, in the order of registration: the fastest repetition, its
// number of iterations, and what a Scale makes of it. In this format a result's
// name must begin with Benchmark: to other names it is prepended.
// Times are real times. Source: golang.org/design/14313-benchmark-format.
class GoReporter : public benchmark::BenchmarkReporter {
 public:
  // Scale is what some rows are compared with; fastest repetitions all.
  struct Scale {
    std::string rows;      // how their names begin
    std::string baseline;  // a row; when it is not in the run, no ratios
    // zero is empty, or the row that does all but what is measured: a column
    // added-ns says what a row takes longer than it, and it is these that the
    // ratios are of.
    std::string zero;
    std::string ratio_unit;
  };

  struct Options {
    std::string goarch;
    std::string pkg = "nanotime/benchmarks";
    std::string cpu;  // empty: unknown
    int cpus = 1;     // the names' suffix, Go's GOMAXPROCS; left out when 1
    std::vector<Scale> scales;  // for a row, the first that is for it
  };

  explicit GoReporter(const Options& options) : options_(options) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& report) override;
  void Finalize() override;

 private:
  struct Row {
    std::string name;
    int64_t iterations = 0;
    double ns_per_op = 0;
  };

  void Add(const Run& run);
  std::string GoName(const Row& row) const;
  const Row* Find(const std::string& name) const;
  std::string Columns(const Row& row) const;
  void ComplainOfScales() const;

  Options options_;
  std::map<int64_t, Row> rows_;  // by place in the order of registration
};

}  // namespace runtime

#endif  // BENCHMARKS_GO_REPORTER_H_
