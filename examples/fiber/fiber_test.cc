// The whole program: what it prints, and how it ends.
// Arguments: the program and, where this machine cannot run it, an emulator.

#include <stdint.h>
#include <sys/wait.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace {

std::string command;  // the program, under the emulator if it needs one

struct Result {
  int exit_code = -1;  // of a process that ended otherwise
  std::string output;  // standard error included
};

Result RunProgram(const std::vector<std::string>& flags) {
  Result result;
  const std::string line =
      absl::StrCat("exec ", command, " ", absl::StrJoin(flags, " "), " 2>&1");
  FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return result;
  char buffer[256];
  while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
    result.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

Result RunSmall(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"--fibers=3000", "--live=500", "--yields=4"});
  return RunProgram(flags);
}

// Numbers returns all numbers of the line that begins with what.
std::vector<int64_t> Numbers(const Result& result, absl::string_view what) {
  std::vector<int64_t> numbers;
  for (absl::string_view line : absl::StrSplit(result.output, '\n')) {
    if (!absl::ConsumePrefix(&line, what)) continue;
    for (absl::string_view word :
         absl::StrSplit(line, absl::ByAnyChar(" ,;"), absl::SkipEmpty())) {
      int64_t number;
      if (absl::SimpleAtoi(word, &number)) numbers.push_back(number);
    }
  }
  return numbers;
}

// ExpectGood looks at a run of RunSmall.
void ExpectGood(const Result& result) {
  SCOPED_TRACE(result.output);
  EXPECT_EQ(result.exit_code, 0);
  const auto finished = Numbers(result, "fibers finished");
  const auto switches = Numbers(result, "switches");
  const auto preemption = Numbers(result, "preemption requests");
  const auto samples = Numbers(result, "profiler samples");
  const auto use = Numbers(result, "greatest stack use");
  ASSERT_FALSE(finished.empty());
  ASSERT_EQ(switches.size(), 2u);
  ASSERT_EQ(preemption.size(), 3u);
  ASSERT_EQ(samples.size(), 4u);
  ASSERT_EQ(use.size(), 2u);

  EXPECT_EQ(finished[0], 3000);
  EXPECT_EQ(switches[0], int64_t{3000} * (4 + 1) + preemption[2]);
  EXPECT_LE(preemption[1], preemption[0]);
  EXPECT_LE(preemption[2], preemption[0]);
  EXPECT_LE(samples[1] + samples[3], samples[0]);
  EXPECT_LE(samples[2], samples[1]);
  EXPECT_GT(use[0], 0);
  EXPECT_LT(use[0], use[1]);
  EXPECT_EQ(use[1], 2048);
}

TEST(FiberTest, StampsWithNanotime) {
  const Result result = RunSmall({});
  ExpectGood(result);
  EXPECT_TRUE(absl::StrContains(result.output, "nanotime\n"));
#ifndef __i386__  // where glibc's system calls are in the vDSO as well
  EXPECT_EQ(Numbers(result, "profiler samples").back(), 0)
      << "all readings are known";
#endif
}

TEST(FiberTest, StampsWithLibc) {
  const Result result = RunSmall({"--clock=libc"});
  ExpectGood(result);
  EXPECT_TRUE(absl::StrContains(result.output, "libc\n"));
}

TEST(FiberTest, RunsUndisturbed) {
  const Result result = RunSmall({"--preempt_every=0", "--profile_every=0"});
  ExpectGood(result);
  EXPECT_EQ(Numbers(result, "preemption requests"),
            std::vector<int64_t>({0, 0, 0}));
  EXPECT_EQ(Numbers(result, "profiler samples"),
            std::vector<int64_t>({0, 0, 0, 0}));
}

TEST(FiberTest, RunsUnderManySignals) {
  ExpectGood(RunSmall({"--preempt_every=100us", "--profile_every=100us"}));
}

TEST(FiberTest, RunsOnOtherNumbersOfWorkers) {
  const Result alone = RunSmall({"--workers=1"});
  ExpectGood(alone);
  EXPECT_EQ(Numbers(alone, "switches").back(), 0) << "nowhere to migrate to";
  ExpectGood(RunSmall({"--workers=7"}));
}

TEST(FiberTest, OneFiberAtATimeWillDo) { ExpectGood(RunSmall({"--live=1"})); }

TEST(FiberTest, AFiberIsAskedToYield) {
  // Long slices are rare: there are ten in this run.
  const Result result =
      RunSmall({"--fibers=1", "--yields=20000", "--preempt_every=100us"});
  SCOPED_TRACE(result.output);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_GT(Numbers(result, "preemption requests")[2], 0);
}

TEST(FiberTest, NanotimeSurvivesAVdsoThatProbesTheStack) {
  ExpectGood(RunSmall({"--probe"}));
}

TEST(FiberTest, LibcDoesNot) {
  for (int i = 0; i < 5; ++i) {
    // All workers at once, and one of them tells.
    const Result result = RunSmall({"--probe", "--clock=libc", "--workers=8"});
    SCOPED_TRACE(result.output);
    EXPECT_EQ(result.exit_code, 3);
    const std::vector<std::string> pieces = absl::StrSplit(
        result.output,
        " overflowed its stack of 2048 bytes: something touched");
    EXPECT_EQ(pieces.size(), 2u);
    EXPECT_FALSE(absl::StrContains(result.output, "switches"));
  }
}

TEST(FiberTest, WrongFlagsAreNamed) {
  const struct {
    const char* argument;
    const char* named;
  } kWrong[] = {
      {"--no_such_flag", "no_such_flag"},
      {"positional", "positional"},
      {"--fibers=0", "'fibers'; a number from 1 to"},
      {"--fibers=many", "'fibers'"},
      {"--workers=-1", "'workers'"},
      {"--live=30001", "'live'"},
      {"--yields=", "'yields'"},
      {"--clock=sundial", "'clock'; nanotime or libc"},
      {"--probe=perhaps", "'probe'"},
      {"--preempt_every=1", "'preempt_every'"},
      {"--profile_every=1us", "'profile_every'"},
  };
  for (const auto& wrong : kWrong) {
    const Result result = RunProgram({wrong.argument});
    EXPECT_EQ(result.exit_code, 2) << wrong.argument;
    EXPECT_TRUE(absl::StrContains(result.output, wrong.named)) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1)
        << "one line: " << result.output;
  }
}

TEST(FiberTest, SaysWhatIsWrong) {
  const Result result = RunProgram({"--fibers=1", ">/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
}

TEST(FiberTest, Help) {
  const Result result = RunProgram({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* flag :
       {"--fibers", "--live", "--workers", "--yields", "--clock", "--probe",
        "--preempt_every", "--profile_every"}) {
    EXPECT_TRUE(absl::StrContains(result.output, flag)) << result.output;
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: fiber_test PROGRAM [EMULATOR]\n";
    return 2;
  }
  command = argc == 3 ? absl::StrCat(argv[2], " ", argv[1]) : argv[1];
  return RUN_ALL_TESTS();
}
