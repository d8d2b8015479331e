// Debuggers and profilers find main from inside a reading, wherever the vDSO
// stack lies.

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace runtime {
namespace {

const char* target;

// Output runs a shell command.
std::string Output(const std::string& command, int* status) {
  std::string output;
  FILE* const pipe = popen(absl::StrCat(command, " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
    output.append(buffer, n);
  }
  *status = pclose(pipe);
  return output;
}

bool Have(const std::string& tool) {
  return system(absl::StrCat("command -v ", tool, " >/dev/null").c_str()) == 0;
}

// InOrder tells whether text has all of names, one after the other.
bool InOrder(const std::string& text, const std::vector<std::string>& names) {
  size_t at = 0;
  for (const std::string& name : names) {
    at = text.find(name, at);
    if (at == std::string::npos) return false;
    at += name.size();
  }
  return true;
}

class UnwindToolsTest : public testing::TestWithParam<const char*> {};

TEST_P(UnwindToolsTest, GdbBacktrace) {
  if (!Have("gdb")) GTEST_SKIP() << "no gdb here";
  int status = 0;
  const std::string output =
      Output(absl::StrCat(
                 "gdb -nx -batch -ex 'break UnwindTargetRoute' -ex run -ex bt "
                 "-ex finish -ex bt --args ",
                 target, " ", GetParam(), " once"),
             &status);
  if (output.find("ptrace: Operation not permitted") != std::string::npos) {
    GTEST_SKIP() << "no ptrace here";
  }
  // Where there is debugging information, gdb shows arguments as well.
  const std::vector<std::string> frames = {"vdsoCall ()", "runtime_nanotime ()",
                                           "UnwindTargetCaller ()", "main ("};
  std::vector<std::string> both = {"#0", "UnwindTargetRoute ("};
  both.insert(both.end(), frames.begin(), frames.end());
  both.push_back("#0");  // and once the route has returned
  both.insert(both.end(), frames.begin(), frames.end());
  EXPECT_TRUE(InOrder(output, both)) << output;
  EXPECT_EQ(output.find("Backtrace stopped"), std::string::npos) << output;
}

// Samples counts perf's samples in the route, those of them that lead to the
// reading, and those that lead to main.
struct Samples {
  int in_route = 0;
  int to_reading = 0;
  int to_main = 0;
};

Samples CountSamples(const std::string& script) {
  Samples samples;
  for (const absl::string_view part : absl::StrSplit(script, "\n\n")) {
    const std::string sample(part);
    if (!InOrder(sample, {"UnwindTargetRoute"})) continue;
    ++samples.in_route;
    if (InOrder(sample, {"UnwindTargetRoute", "runtime_nanotime"})) {
      ++samples.to_reading;
    }
    if (InOrder(sample, {"UnwindTargetRoute", "runtime_nanotime",
                         "UnwindTargetCaller", "main"})) {
      ++samples.to_main;
    }
  }
  return samples;
}

// Record fails the test, or skips it, when there are no samples.
void Record(const std::string& call_graph, Samples* samples) {
  if (!Have("perf")) GTEST_SKIP() << "no perf here";
  const std::string data = testing::TempDir() + "/unwind_tools_test.perf." +
                           std::to_string(getpid());
  int status = 0;
  const std::string recorded =
      Output(absl::StrCat("perf record -e cpu-clock -F 500 --call-graph ",
                          call_graph, " -o ", data, " ", target, " ",
                          UnwindToolsTest::GetParam(), " spin"),
             &status);
  if (status != 0) GTEST_SKIP() << "perf cannot record here: " << recorded;
  const std::string script = Output(
      absl::StrCat("perf script --no-inline -F ip,sym -i ", data), &status);
  unlink(data.c_str());
  if (InOrder(script, {"target platform", "is not supported"})) {
    GTEST_SKIP() << "this perf does not unwind a 32-bit program's stack";
  }
  *samples = CountSamples(script);
  testing::Test::RecordProperty("samples", samples->in_route);
  EXPECT_GT(samples->in_route, 10) << recorded << script.substr(0, 1000);
}

TEST_P(UnwindToolsTest, PerfFramePointers) {
  Samples samples;
  Record("fp", &samples);
  EXPECT_EQ(samples.to_main, samples.in_route);
}

// perf copies one piece of the stack, from the stack pointer upwards. From the
// vDSO stack it gets as far as the reading; README says so.
TEST_P(UnwindToolsTest, PerfDwarf) {
  Samples samples;
  Record("dwarf", &samples);
  EXPECT_EQ(samples.to_reading, samples.in_route);
}

INSTANTIATE_TEST_SUITE_P(VdsoStack, UnwindToolsTest,
                         testing::Values("above", "below"));

// The tests can fail.
TEST(CountSamplesTest, SeesASampleThatStopsShort) {
  const Samples samples = CountSamples(
      "1 UnwindTargetRoute\n2 runtime_nanotime\n3 UnwindTargetCaller\n4 main\n"
      "\n1 UnwindTargetRoute\n2 runtime_nanotime\n"
      "\n1 something else\n4 main\n");
  EXPECT_EQ(samples.in_route, 2);
  EXPECT_EQ(samples.to_reading, 2);
  EXPECT_EQ(samples.to_main, 1);
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    fprintf(stderr, "usage: unwind_tools_test TARGET\n");
    return 2;
  }
  runtime::target = argv[1];
  return RUN_ALL_TESTS();
}
