// The whole program: what it prints, and how it ends.
// Arguments: the program and, where this machine cannot run it, an emulator.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace {

std::string command;  // the program, under the emulator if it needs one

struct Result {
  int exit_code = -1;  // of a process that ended otherwise
  std::string output;
};

Result RunProgram(const std::string& environment, const std::string& flags) {
  const std::string line =
      absl::StrCat(environment, " exec ", command, " --seconds=0 ", flags);
  Result result;
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

nlohmann::json RunJson(const std::string& environment = "") {
  const Result result = RunProgram(environment, "--json 2>/dev/null");
  nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
  EXPECT_TRUE(json.is_object()) << result.output;
  EXPECT_EQ(result.exit_code, json["falls_back"].get<bool>() ? 1 : 0);
  return json;
}

std::string StaysIn(const nlohmann::json& json, const std::string& name) {
  for (const auto& clock : json["clocks"]) {
    if (clock["name"] == name) return clock["stays_in"];
  }
  return "missing";
}

// The sanitizers' own system calls do not get by the filter of the proof, nor
// do an emulator's.
bool CanProve(const nlohmann::json& json) {
  return StaysIn(json, "THREAD_CPUTIME_ID") != "unknown";
}

TEST(ClockinfoTest, Json) {
  const nlohmann::json json = RunJson();
  EXPECT_EQ(json["clocks"].size(), 9u);
  EXPECT_EQ(json["forced"], "auto");
  EXPECT_FALSE(json["kernel"].get<std::string>().empty());
  const bool has_vdso = json["vdso"]["load_start"].get<uint64_t>() != 0;
  EXPECT_EQ(json["vdso"]["is"] == "found", has_vdso);
  for (const auto& clock : json["clocks"]) {
    SCOPED_TRACE(clock["name"].get<std::string>());
    EXPECT_EQ(clock["error"], 0);
    EXPECT_GT(clock["resolution_ns"].get<int64_t>(), 0);
    EXPECT_EQ(clock["costs"].size(), has_vdso ? 2u : 1u);
    for (const auto& cost : clock["costs"]) {
      EXPECT_GT(cost["samples"].get<int>(), 0);
      EXPECT_LE(cost["min_ns"], cost["p50_ns"]);
      EXPECT_LE(cost["p50_ns"], cost["p99_ns"]);
    }
  }
}

TEST(ClockinfoTest, TellsUserSpaceFromSyscalls) {
  const nlohmann::json json = RunJson();
  if (!CanProve(json)) GTEST_SKIP() << "no such filter here";
  EXPECT_EQ(StaysIn(json, "THREAD_CPUTIME_ID"), "syscall");
  const nlohmann::json forced = RunJson("RUNTIME_TIME_ROUTE=syscall");
  EXPECT_EQ(forced["forced"], "syscall");
  EXPECT_EQ(StaysIn(forced, "MONOTONIC_COARSE"), "syscall");
  EXPECT_TRUE(forced["falls_back"].get<bool>());
  if (json["routes"][0]["kind"] == "vdso") {
    EXPECT_EQ(StaysIn(json, "MONOTONIC_COARSE"), "user space");
    EXPECT_TRUE(absl::StrContains(forced["advice"].dump(), "is forced"));
  }
}

TEST(ClockinfoTest, Text) {
  const Result result = RunProgram("", "2>&1");
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1);
  for (const char* what :
       {"kernel", "clocksource", "vDSO", "pairs of clocks", "MONOTONIC_RAW",
        "THREAD_CPUTIME_ID", "Nanoseconds a reading"}) {
    EXPECT_TRUE(absl::StrContains(result.output, what)) << result.output;
  }
}

TEST(ClockinfoTest, WrongFlagsAreNamed) {
  for (const std::string flag :
       {"--no_such_flag", "--seconds=-1", "--seconds=long", "--json=maybe",
        "positional"}) {
    const Result result = RunProgram("", flag + " 2>&1");
    EXPECT_EQ(result.exit_code, 2) << flag;
    const std::string name =
        flag.substr(0, flag.find('=')).substr(flag[0] == '-' ? 2 : 0);
    EXPECT_TRUE(absl::StrContains(result.output, name)) << result.output;
  }
}

TEST(ClockinfoTest, Help) {
  const Result result = RunProgram("", "--help 2>&1");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(absl::StrContains(result.output, "Exit code"));
  EXPECT_TRUE(absl::StrContains(result.output, "--json"));
}

// Interrupt starts the program for an hour, presses Ctrl-C when it has begun to
// measure, and returns what comes of it.
Result Interrupt() {
  Result result;
  int out[2];
  int err[2];
  if (pipe(out) != 0 || pipe(err) != 0) return result;
  const std::string line =
      absl::StrCat("exec ", command, " --json --seconds=3600");
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  for (char c = ' '; c != '\n' && read(err[0], &c, 1) == 1;) {
  }
  kill(child, SIGINT);
  char buffer[256];
  for (ssize_t n; (n = read(out[0], buffer, sizeof buffer)) > 0;) {
    result.output.append(buffer, static_cast<size_t>(n));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  close(out[0]);
  close(err[0]);
  return result;
}

TEST(ClockinfoTest, CtrlCEndsMeasuringAndKeepsWhatThereIs) {
  const Result result = Interrupt();
  EXPECT_EQ(result.exit_code, 130);
  const auto json = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.output;
  EXPECT_TRUE(json["interrupted"].get<bool>());
  EXPECT_GT(json["clocks"][0]["costs"][0]["samples"].get<int>(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2) {
    fprintf(stderr, "usage: program_test PROGRAM [EMULATOR]\n");
    return 2;
  }
  command = argc > 2 ? absl::StrCat(argv[2], " ", argv[1]) : argv[1];
  return RUN_ALL_TESTS();
}
