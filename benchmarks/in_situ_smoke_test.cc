// The whole program. No figure is looked at, and the sets are small: emulators
// are slow.

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "benchmarks/in_situ_program.h"
#include "benchmarks/run_program.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace runtime {
namespace {

Result RunInSitu(const std::vector<std::string>& args) {
  return RunProgram(InSituProgram(), args);
}

Result RunQuickly(const std::vector<std::string>& args) {
  return RunProgram(InSituProgram(), args, /*quickly=*/true);
}

// Fields are those of a row's line, or none.
std::vector<std::string> Fields(const std::string& out,
                                const std::string& row) {
  for (const absl::string_view line : absl::StrSplit(out, '\n')) {
    std::vector<std::string> fields =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (!fields.empty() &&
        (fields[0] == row || absl::StartsWith(fields[0], row + "-"))) {
      return fields;
    }
  }
  return {};
}

TEST(InSituSmokeTest, EveryRowSaysWhatItAdds) {
  const Result result = RunQuickly({"--sets=4KiB,1MiB"});
  EXPECT_EQ(result.exit_code, 0);
  const bool has_vdso = absl::StrContains(result.out, "RawVDSO");
  EXPECT_NE(has_vdso, absl::StrContains(result.err, "no vDSO")) << result.err;
  const char* raw = has_vdso ? "RawVDSO" : "RawSyscall";
  for (const char* set :
       {"chase/4KiB/", "loads/4KiB/", "chase/1MiB/", "loads/1MiB/"}) {
    const std::string prefix = absl::StrCat("BenchmarkInSitu/", set);
    EXPECT_EQ(Fields(result.out, prefix + "none").size(), 4u);
    for (const char* reading : {"nanotime", "walltime", "now", raw, "libc"}) {
      SCOPED_TRACE(prefix + reading);
      const std::vector<std::string> fields =
          Fields(result.out, prefix + reading);
      ASSERT_GE(fields.size(), 6u) << result.out;
      double value = 0;
      EXPECT_TRUE(absl::SimpleAtod(fields[2], &value) && value > 0);
      EXPECT_EQ(fields[3], "ns/op");
      EXPECT_TRUE(absl::SimpleAtod(fields[4], &value));
      EXPECT_EQ(fields[5], "added-ns");
      // A disturbed run of two repetitions may have no ratio, and says so.
      if (fields.size() == 6) {
        EXPECT_TRUE(absl::StrContains(result.err, "No ratios: " + prefix));
        continue;
      }
      ASSERT_EQ(fields.size(), 8u);
      EXPECT_TRUE(absl::SimpleAtod(fields[6], &value));
      EXPECT_EQ(fields[7], has_vdso ? "x-vdso" : "x-syscall");
    }
  }
}

TEST(InSituSmokeTest, JsonNamesTheRowsToCompareWith) {
  const Result result = RunQuickly({"--sets=4KiB", "--benchmark_format=json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::accept(result.out)) << result.out;
  EXPECT_TRUE(absl::StrContains(result.out,
                                "\"zero of BenchmarkInSitu/chase/4KiB/\": "
                                "\"BenchmarkInSitu/chase/4KiB/none\""));
  EXPECT_TRUE(absl::StrContains(
      result.out, "\"baseline of BenchmarkInSitu/loads/4KiB/\": "));
  EXPECT_TRUE(absl::StrContains(
      result.out, "\"name\": \"BenchmarkInSitu/loads/4KiB/now_min\""));
}

// Were the memory of the second set touched, this would hardly come back.
TEST(InSituSmokeTest, RowsLeftOutNeedNoMemory) {
  const Result result = RunQuickly(
      {"--sets=4KiB,64GiB", "--benchmark_filter=/chase/4KiB/(none|now)$"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(Fields(result.out, "BenchmarkInSitu/chase/4KiB/now").empty());
  EXPECT_FALSE(absl::StrContains(result.out, "64GiB"));
  EXPECT_FALSE(absl::StrContains(result.err, "memory")) << result.err;
  EXPECT_TRUE(absl::StrContains(result.err, "No ratios"));
}

#ifndef __LP64__
TEST(InSituSmokeTest, TooLargeASetIsNamed) {
  const Result result =
      RunQuickly({"--sets=4KiB,64GiB", "--benchmark_filter=/chase/.*/none$"});
  EXPECT_TRUE(absl::StrContains(
      result.err, "BenchmarkInSitu/chase/64GiB/none: not so much memory here"))
      << result.err;
  EXPECT_FALSE(Fields(result.out, "BenchmarkInSitu/chase/4KiB/none").empty());
}
#endif

TEST(InSituSmokeTest, DefaultSets) {
  const Result result = RunInSitu({"--benchmark_list_tests"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(
      absl::StartsWith(result.out, "BenchmarkInSitu/chase/32KiB/none\n"));
  EXPECT_TRUE(
      absl::StrContains(result.out, "\nBenchmarkInSitu/loads/256MiB/libc\n"));
}

TEST(InSituSmokeTest, WrongFlagsAreNamed) {
  for (const char* flag :
       {"--sets=", "--sets=4", "--sets=4KB", "--sets=1KiB", "--sets=128GiB",
        "--sets=-4KiB", "--sets=4KiB,", "--sets=1024KiB,1MiB",
        "--sets=99999999999999999999KiB", "--sets", "--no_such_flag",
        "--benchmark_format=xml"}) {
    const Result result = RunInSitu({flag});
    EXPECT_EQ(result.exit_code, 2) << flag;
    EXPECT_TRUE(absl::StrContains(result.err, flag)) << result.err;
    EXPECT_EQ(result.out, "") << flag;
  }
}

TEST(InSituSmokeTest, Help) {
  const Result result = RunInSitu({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(absl::StrContains(result.out, "--sets=SIZE,..."));
  EXPECT_TRUE(absl::StrContains(result.out, "--benchmark_format=go|json"));
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace runtime
