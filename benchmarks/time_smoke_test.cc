// The whole program, in this process: under an emulator there is no other way.
// No figure is looked at.

#include <stdint.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "benchmarks/run_program.h"
#include "benchmarks/time_program.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace runtime {
namespace {

Result RunTime(const std::vector<std::string>& args) {
  return RunProgram(TimeProgram(), args);
}

Result RunQuickly(const std::vector<std::string>& args) {
  return RunProgram(TimeProgram(), args, /*quickly=*/true);
}

// The rows that are measured on every machine.
const char* const kRows[] = {
    "BenchmarkTimeNow",
    "BenchmarkNanotime",
    "BenchmarkWalltime",
    "BenchmarkClockVDSOAndFallbackPaths/Fallback",
    "BenchmarkTimeNow/smallstack",
    "BenchmarkNanotime/smallstack",
    "BenchmarkWalltime/smallstack",
    "BenchmarkClockVDSOAndFallbackPaths/Fallback/smallstack",
    "BenchmarkClockNs/MONOTONIC",
    "BenchmarkClockNs/TAI",
    "BenchmarkClockNs/byid/THREAD_CPUTIME_ID",
    "BenchmarkNanotimeGuarded",
    "BenchmarkSeedTable/realtime_coarse_ns",
    "Baseline/RawSyscall/MONOTONIC",
#ifdef __i386__
    "Baseline/Int80/MONOTONIC",
#endif
    "Baseline/Libc/MONOTONIC",
    "Baseline/SteadyClock",
    "Baseline/AbslNow",
};

// Those that need a vDSO.
const char* const kVdsoRows[] = {
    "BenchmarkClockVDSOAndFallbackPaths/vDSO",
    "BenchmarkClockVDSOAndFallbackPaths/vDSO/smallstack",
    "Baseline/RawVDSO/MONOTONIC",
    "Baseline/RawVDSO/MONOTONIC+REALTIME",
    "Baseline/RawVDSO/BOOTTIME",
    "BenchmarkSeedTable/monotonic",
};

TEST(TimeSmokeTest, GoFormat) {
  const Result result = RunQuickly({});
  EXPECT_EQ(result.exit_code, 0);
  std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
  EXPECT_EQ(lines.front(), "goos: linux");
  const bool has_vdso = absl::StrContains(result.out, "RawVDSO");
  EXPECT_NE(has_vdso, absl::StrContains(result.err, "no vDSO")) << result.err;

  std::string names;
  for (const std::string& line : lines) {
    if (!absl::StartsWith(line, "Benchmark")) continue;
    SCOPED_TRACE(line);
    const std::vector<std::string> fields =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    ASSERT_EQ(fields.size(), 6u);
    names += fields[0].substr(0, fields[0].find('-')) + "\n";
    int64_t iterations = 0;
    double ns_per_op = 0;
    double ratio = 0;
    EXPECT_TRUE(absl::SimpleAtoi(fields[1], &iterations) && iterations > 0);
    EXPECT_TRUE(absl::SimpleAtod(fields[2], &ns_per_op) && ns_per_op > 0);
    EXPECT_EQ(fields[3], "ns/op");
    EXPECT_TRUE(absl::SimpleAtod(fields[4], &ratio) && ratio > 0);
    const bool coarse = absl::StrContains(line, "ClockNs/MONOTONIC_COARSE") ||
                        absl::StrContains(line, "ClockNs/REALTIME_COARSE");
    EXPECT_EQ(fields[5], !has_vdso ? "x-syscall"
                         : coarse  ? "x-vdso-coarse"
                                   : "x-vdso");
  }
  const auto has_row = [&names](const std::string& row) {
    const bool is_ours = absl::StartsWith(row, "Benchmark");
    return absl::StrContains("\n" + names,
                             (is_ours ? "\n" : "\nBenchmark") + row + "\n");
  };
  for (const char* row : kRows) EXPECT_TRUE(has_row(row)) << row;
  for (const char* row : kVdsoRows) EXPECT_EQ(has_row(row), has_vdso) << row;
  EXPECT_NE(has_row("Baseline/CycleCounter"),
            absl::StrContains(result.err, "Left out: Baseline/CycleCounter"));
}

TEST(TimeSmokeTest, Json) {
  const Result result = RunQuickly({"--benchmark_format=json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::accept(result.out)) << result.out;
  for (const char* row : kRows) {
    SCOPED_TRACE(row);
    const std::string quoted = std::string("\"") + row;
    EXPECT_TRUE(absl::StrContains(result.out, "\"name\": " + quoted + "\""));
    EXPECT_TRUE(
        absl::StrContains(result.out, "\"name\": " + quoted + "_min\""));
  }
  EXPECT_TRUE(absl::StrContains(result.out, "\"repetition_index\": 1"));
}

TEST(TimeSmokeTest, FilterChoosesRows) {
  const Result result = RunQuickly({"--benchmark_filter=^BenchmarkNanotime$"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(absl::StrContains(result.out, "\nBenchmarkNanotime"));
  EXPECT_FALSE(absl::StrContains(result.out, "BenchmarkWalltime"));
  EXPECT_TRUE(absl::StrContains(result.err, "No ratios"));
}

TEST(TimeSmokeTest, OutFileIsJson) {
  const std::string path = testing::TempDir() + "/time_smoke_test_out.json";
  EXPECT_EQ(
      RunQuickly({"--benchmark_filter=Walltime", "--benchmark_out=" + path})
          .exit_code,
      0);
  FILE* file = fopen(path.c_str(), "r");
  ASSERT_NE(file, nullptr);
  std::string text(1 << 20, '\0');
  text.resize(fread(&text[0], 1, text.size(), file));
  fclose(file);
  EXPECT_TRUE(nlohmann::json::accept(text)) << text;
}

TEST(TimeSmokeTest, ListTests) {
  const Result result = RunTime({"--benchmark_list_tests"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(absl::StartsWith(result.out, "BenchmarkTimeNow\n"));
}

TEST(TimeSmokeTest, WrongFlagsAreNamed) {
  for (const char* flag :
       {"--no_such_flag", "--benchmark_no_such_flag=1", "positional",
        "--benchmark_format=xml", "--benchmark_out_format=xml",
        "--benchmark_time_unit=h", "--benchmark_repetitions=some",
        "--benchmark_out=/nonexistent/x", "--benchmark_repetitions=0",
        "--benchmark_min_time=long", "--benchmark_min_time"}) {
    const Result result = RunTime({flag});
    EXPECT_EQ(result.exit_code, 2) << flag;
    EXPECT_TRUE(absl::StrContains(result.err, flag)) << result.err;
    EXPECT_EQ(result.out, "") << flag;
  }
}

TEST(TimeSmokeTest, FilterThatMatchesNothingIsNamed) {
  for (const char* filter : {"nothing", "("}) {
    const Result result =
        RunTime({std::string("--benchmark_filter=") + filter});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(absl::StrContains(result.err, "--benchmark_filter"));
    EXPECT_EQ(result.out, "");
  }
}

TEST(TimeSmokeTest, Help) {
  const Result result = RunTime({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(absl::StrContains(result.out, "--benchmark_format=go|json"));
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace runtime
