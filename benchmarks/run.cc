#include "benchmarks/run.h"

#include <stdint.h>

#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "benchmarks/flags.h"
#include "benchmarks/go_reporter.h"
#include "benchmarks/machine.h"
#include "benchmarks/program.h"
#include "benchmarks/progress.h"

namespace runtime {
namespace {

constexpr int kUsageError = 2;

std::unique_ptr<benchmark::BenchmarkReporter> NewReporter(
    const std::string& format, const GoReporter::Options& options) {
  if (format == "go") return std::make_unique<GoReporter>(options);
  if (format == "json") return std::make_unique<benchmark::JSONReporter>();
  return nullptr;  // Google Benchmark's own choice for --benchmark_format
}

void AddContext(const Rows& rows) {
  auto*& context = benchmark::internal::GetGlobalContext();
  if (context != nullptr) context->clear();
  benchmark::AddCustomContext("goos", "linux");
  benchmark::AddCustomContext("goarch", GoArch());
  for (const GoReporter::Scale& scale : rows.scales) {
    const std::string of = scale.rows.empty() ? "" : " of " + scale.rows;
    benchmark::AddCustomContext("baseline" + of, scale.baseline);
    if (!scale.zero.empty()) {
      benchmark::AddCustomContext("zero" + of, scale.zero);
    }
  }
}

}  // namespace

int RunBenchmarks(const Program& program, int argc, char** argv) {
  Flags flags(argc, argv, program.flags);
  if (flags.help()) {
    std::cout << HelpText(program);
    return 0;
  }
  if (!flags.error().empty()) {
    std::cerr << flags.error() << "\nRun with --help for the flags.\n";
    return kUsageError;
  }

  Progress progress;
  const Rows rows =
      program.register_rows(flags.min_time(), [&progress] { progress.Tick(); });
  for (const std::string& line : rows.left_out) {
    std::cerr << "Left out: " << line << "\n";
  }
  AddContext(rows);

  GoReporter::Options options;
  options.goarch = GoArch();
  options.cpu = CpuModel();
  options.cpus = UsableCpus();  // before pinning
  options.scales = rows.scales;
  const auto reporter = NewReporter(flags.format(), options);

#ifndef NDEBUG
  std::cerr << "Built without -c opt: the figures include slow loops.\n";
#endif
  const PinnedToCpu pinned;
  if (!flags.list_only()) {
    const std::string what = flags.filtered()
                                 ? "the rows asked for"
                                 : absl::StrCat(rows.count, " rows");
    progress.Start(
        absl::StrCat(what, ", ", flags.repetitions(),
                     " interleaved repetitions of each, then the minimum"),
        flags.filtered() ? 0 : int64_t{rows.count} * flags.repetitions());
  }
  const size_t matched = benchmark::RunSpecifiedBenchmarks(reporter.get());
  progress.Finish();
  benchmark::ClearRegisteredBenchmarks();  // they refer to progress
  if (matched == 0) {
    std::cerr << "No row to run: see --benchmark_filter.\n";
    return kUsageError;
  }
  return 0;
}

}  // namespace runtime
