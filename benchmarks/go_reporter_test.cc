#include "benchmarks/go_reporter.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace runtime {
namespace {

using OneRun = benchmark::BenchmarkReporter::Run;

GoReporter::Options TestOptions() {
  GoReporter::Options options;
  options.goarch = "amd64";
  options.cpu = "Test CPU";
  options.cpus = 2;
  options.scales = {{"", "Baseline/Raw", "", "x-raw"}};
  return options;
}

OneRun NewRun(const std::string& name, int index, int64_t iterations,
              double ns_per_op) {
  OneRun run;
  run.run_name.function_name = name;
  run.family_index = index;
  run.iterations = iterations;
  run.real_accumulated_time =
      ns_per_op * 1e-9 * static_cast<double>(iterations);
  run.cpu_accumulated_time = 1;
  return run;
}

OneRun NewAggregate(const std::string& name, int index,
                    const std::string& aggregate, double ns_per_op) {
  OneRun run = NewRun(name, index, /*iterations=*/3, ns_per_op);
  run.run_type = OneRun::RT_Aggregate;
  run.aggregate_name = aggregate;
  return run;
}

struct Output {
  std::string out;
  std::string err;
};

Output Report(const GoReporter::Options& options,
              const std::vector<std::vector<OneRun>>& reports) {
  std::ostringstream out;
  std::ostringstream err;
  GoReporter reporter(options);
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&err);
  EXPECT_TRUE(reporter.ReportContext(benchmark::BenchmarkReporter::Context()));
  for (const auto& report : reports) reporter.ReportRuns(report);
  reporter.Finalize();
  return {out.str(), err.str()};
}

constexpr char kHeader[] =
    "goos: linux\n"
    "goarch: amd64\n"
    "pkg: nanotime/benchmarks\n"
    "cpu: Test CPU\n";

TEST(GoReporterTest, MinimumAndRatioInOrderOfRegistration) {
  const Output output =
      Report(TestOptions(), {{NewRun("Baseline/Raw", 1, 2000, 21),
                              NewRun("Baseline/Raw", 1, 2000, 20),
                              NewRun("Baseline/Raw", 1, 2000, 22)},
                             {NewRun("BenchmarkNow", 0, 1000, 42.5),
                              NewRun("BenchmarkNow", 0, 1001, 50)}});
  EXPECT_EQ(output.out,
            std::string(kHeader) +
                "BenchmarkNow-2         \t    1000\t        42.50 ns/op\t"
                "         2.125 x-raw\n"
                "BenchmarkBaseline/Raw-2\t    2000\t        20.00 ns/op\t"
                "         1.000 x-raw\n");
  EXPECT_EQ(output.err, "");
}

TEST(GoReporterTest, FourSignificantDigits) {
  std::vector<OneRun> runs;
  const std::vector<std::pair<double, const char*>> cases = {
      {0.04567, "         0.0457 ns/op"}, {0.99994, "         0.9999 ns/op"},
      {0.99996, "         1.000 ns/op"},  {9.99949, "         9.999 ns/op"},
      {12.3456, "        12.35 ns/op"},   {123.456, "       123.5 ns/op"},
      {1234.56, "      1235 ns/op"}};
  std::string expected = kHeader;
  for (const auto& [ns_per_op, text] : cases) {
    const int index = static_cast<int>(runs.size());
    runs.push_back(
        NewRun("Benchmark" + std::to_string(index), index, 10, ns_per_op));
    expected +=
        "Benchmark" + std::to_string(index) + "-2\t      10\t" + text + "\n";
  }
  EXPECT_EQ(Report(TestOptions(), {runs}).out, expected);
}

TEST(GoReporterTest, NoRatiosWithoutBaseline) {
  const Output output =
      Report(TestOptions(), {{NewRun("BenchmarkNow", 0, 1000, 42.5)}});
  EXPECT_EQ(output.out, std::string(kHeader) +
                            "BenchmarkNow-2\t    1000\t        42.50 ns/op\n");
  EXPECT_EQ(output.err, "No ratios: Baseline/Raw was not in this run.\n");
}

// AddedOptions are two sets with their own rows to compare with.
GoReporter::Options AddedOptions() {
  GoReporter::Options options = TestOptions();
  options.scales = {{"Small/", "Small/Raw", "Small/none", "x-raw"},
                    {"Big/", "Big/Raw", "Big/none", "x-raw"}};
  return options;
}

TEST(GoReporterTest, ScaleWithAZeroComparesWhatIsAdded) {
  const Output output =
      Report(AddedOptions(),
             {{NewRun("Small/none", 0, 9, 10), NewRun("Small/Raw", 1, 9, 30),
               NewRun("Small/Now", 2, 9, 60), NewRun("Big/none", 3, 9, 100),
               NewRun("Big/Raw", 4, 9, 200), NewRun("Big/Now", 5, 9, 110),
               NewRun("Other", 6, 9, 5)}});
  EXPECT_EQ(output.out,
            std::string(kHeader) +
                "BenchmarkSmall/none-2\t       9\t        10.00 ns/op\n"
                "BenchmarkSmall/Raw-2 \t       9\t        30.00 ns/op\t"
                "        20.00 added-ns\t         1.000 x-raw\n"
                "BenchmarkSmall/Now-2 \t       9\t        60.00 ns/op\t"
                "        50.00 added-ns\t         2.500 x-raw\n"
                "BenchmarkBig/none-2  \t       9\t       100.0 ns/op\n"
                "BenchmarkBig/Raw-2   \t       9\t       200.0 ns/op\t"
                "       100.0 added-ns\t         1.000 x-raw\n"
                "BenchmarkBig/Now-2   \t       9\t       110.0 ns/op\t"
                "        10.00 added-ns\t         0.1000 x-raw\n"
                "BenchmarkOther-2     \t       9\t         5.000 ns/op\n");
  EXPECT_EQ(output.err, "");
}

TEST(GoReporterTest, NothingAddedWithoutTheZero) {
  const Output output =
      Report(AddedOptions(), {{NewRun("Small/Raw", 0, 9, 30)}});
  EXPECT_EQ(output.out,
            std::string(kHeader) +
                "BenchmarkSmall/Raw-2\t       9\t        30.00 ns/op\n");
  EXPECT_EQ(output.err, "No ratios: Small/none was not in this run.\n");
}

TEST(GoReporterTest, BaselineThatAddsNothingIsNoMeasure) {
  const Output output = Report(AddedOptions(), {{NewRun("Big/none", 0, 9, 30),
                                                 NewRun("Big/Raw", 1, 9, 29),
                                                 NewRun("Big/Now", 2, 9, 31)}});
  EXPECT_EQ(output.out,
            std::string(kHeader) +
                "BenchmarkBig/none-2\t       9\t        30.00 ns/op\n"
                "BenchmarkBig/Raw-2 \t       9\t        29.00 ns/op\t"
                "        -1.0000 added-ns\n"
                "BenchmarkBig/Now-2 \t       9\t        31.00 ns/op\t"
                "         1.000 added-ns\n");
  EXPECT_EQ(output.err, "No ratios: Big/Raw was as fast as Big/none.\n");
}

TEST(GoReporterTest, OneCpuHasNoSuffixUnknownModelNoLine) {
  GoReporter::Options options = TestOptions();
  options.cpu = "";
  options.cpus = 1;
  EXPECT_EQ(Report(options, {{NewRun("Baseline/Raw", 0, 5, 3)}}).out,
            "goos: linux\n"
            "goarch: amd64\n"
            "pkg: nanotime/benchmarks\n"
            "BenchmarkBaseline/Raw\t       5\t         3.000 ns/op\t"
            "         1.000 x-raw\n");
}

TEST(GoReporterTest, AggregatesCountOnlyAlone) {
  const Output output =
      Report(TestOptions(), {{NewRun("Baseline/Raw", 0, 1000, 20)},
                             {NewAggregate("Baseline/Raw", 0, "mean", 1),
                              NewAggregate("Baseline/Raw", 0, "min", 1)},
                             {NewAggregate("BenchmarkNow", 1, "mean", 90),
                              NewAggregate("BenchmarkNow", 1, "min", 40)}});
  EXPECT_EQ(output.out,
            std::string(kHeader) +
                "BenchmarkBaseline/Raw-2\t    1000\t        20.00 ns/op\t"
                "         1.000 x-raw\n"
                "BenchmarkNow-2         \t       3\t        40.00 ns/op\t"
                "         2.000 x-raw\n");
}

TEST(GoReporterTest, FailedRowsGoToStderr) {
  OneRun failed = NewRun("BenchmarkNow", 0, 0, 0);
  failed.error_occurred = true;
  failed.error_message = "no clock";
  const Output output = Report(TestOptions(), {{failed}});
  EXPECT_EQ(output.out, kHeader);
  EXPECT_EQ(output.err, "BenchmarkNow: no clock\n");
}

}  // namespace
}  // namespace runtime
