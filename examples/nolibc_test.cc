// The program without a C library runs, and reads the right times.
// Arguments: the program and, where this machine cannot run it, an emulator.

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

using Strings = std::vector<std::string>;

std::string program;
Strings emulator;  // nothing, or its path

constexpr int64_t kBillion = 1000000000;

int64_t ReadClock(clockid_t clock) {
  timespec ts;
  clock_gettime(clock, &ts);
  return ts.tv_sec * kBillion + ts.tv_nsec;
}

std::vector<char*> Pointers(const Strings& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) {
    pointers.push_back(const_cast<char*>(string.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

struct Result {
  int exit_code = -1;  // of a process that ended otherwise
  std::string output;
};

// Execute runs path with exactly these argv and envp, and collects its output.
Result Execute(const std::string& path, const Strings& argv,
               const Strings& envp) {
  Result result;
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return result;
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(fds[1], STDOUT_FILENO);
    execve(path.c_str(), Pointers(argv).data(), Pointers(envp).data());
    _exit(127);
  }
  close(fds[1]);
  char buffer[256];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;) {
    result.output.append(buffer, static_cast<size_t>(n));
  }
  close(fds[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

// Expected tells which route a run should print. kEither: under a tool that has
// its own view of the vDSO.
enum class Expected { kKernels, kEither };

// RunAndCheck runs a command that runs the program.
void RunAndCheck(const std::string& path, const Strings& argv,
                 const Strings& envp, Expected expected) {
  const int64_t mono_before = ReadClock(CLOCK_MONOTONIC);
  const int64_t wall_before = ReadClock(CLOCK_REALTIME);
  const Result result = Execute(path, argv, envp);
  const int64_t mono_after = ReadClock(CLOCK_MONOTONIC);
  const int64_t wall_after = ReadClock(CLOCK_REALTIME);
  ASSERT_EQ(result.exit_code, 0) << result.output;

  long long mono = 0, sec = 0;
  char nsec[10] = {}, route[8] = {};
  int end = 0;
  ASSERT_EQ(sscanf(result.output.c_str(),
                   "nanotime %lld\nwalltime %lld.%9[0-9]\nroute %7[a-z]\n%n",
                   &mono, &sec, nsec, route, &end),
            4)
      << result.output;
  EXPECT_EQ(static_cast<size_t>(end), result.output.size());
  EXPECT_EQ(std::string(nsec).size(), 9u);
  EXPECT_LE(mono_before, mono);
  EXPECT_LE(mono, mono_after);
  const int64_t wall = sec * kBillion + strtoll(nsec, nullptr, 10);
  EXPECT_LE(wall_before, wall);
  EXPECT_LE(wall, wall_after);
  // The kernel, or the emulator, gives this process what it gives the program.
  const bool given = getauxval(AT_SYSINFO_EHDR) != 0;
  const std::string kernels = given ? "vdso" : "syscall";
  if (expected == Expected::kKernels || std::string(route) != "syscall") {
    EXPECT_EQ(route, kernels);
  }
}

// RunPlain runs the program itself, under the emulator if it needs one.
void RunPlain(const Strings& arguments, const Strings& envp) {
  Strings argv = emulator;
  argv.push_back(program);
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  RunAndCheck(argv[0], argv, envp, Expected::kKernels);
}

// RunUnder runs the program under a tool, which must be in /usr/bin.
void RunUnder(Strings command) {
  if (!emulator.empty()) GTEST_SKIP() << "the tool would see the emulator";
  command[0] = "/usr/bin/" + command[0];
  if (access(command[0].c_str(), X_OK) != 0) {
    GTEST_SKIP() << command[0] << " is missing";
  }
  const Strings envp = {"PATH=/usr/bin:/bin"};
  Strings try_true = command;
  try_true.push_back("/bin/true");
  if (Execute(command[0], try_true, envp).exit_code != 0) {
    GTEST_SKIP() << command[0] << " does not work here";
  }
  command.push_back(program);
  RunAndCheck(command[0], command, envp, Expected::kEither);
}

TEST(NolibcTest, Reads) { RunPlain({}, {"HOME=/", "LANG=C"}); }

TEST(NolibcTest, ReadsWithManyArguments) {
  RunPlain(Strings(1000, "argument"), Strings(999, "VARIABLE=value"));
}

TEST(NolibcTest, ReadsWithoutEnvironment) { RunPlain({}, {}); }

// Linux 5.18 and later make it one empty argument.
TEST(NolibcTest, ReadsWithoutArguments) {
  if (!emulator.empty()) GTEST_SKIP() << "the emulator needs arguments";
  RunAndCheck(program, {}, {}, Expected::kKernels);
}

TEST(NolibcTest, SaysWhatIsWrong) {
  // Standard output is closed.
  Strings argv = {"/bin/sh", "-c", "exec \"$@\" 2>&1 >&-", "sh"};
  argv.insert(argv.end(), emulator.begin(), emulator.end());
  argv.push_back(program);
  const Result result = Execute(argv[0], argv, {});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, "nolibc: standard output cannot be written\n");
}

TEST(NolibcTest, ReadsUnderStrace) {
  RunUnder({"strace", "-f", "-o", "/dev/null"});
}

TEST(NolibcTest, ReadsUnderValgrind) {
  RunUnder({"valgrind", "-q", "--error-exitcode=99"});
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: nolibc_test PROGRAM [EMULATOR]\n";
    return 2;
  }
  program = argv[1];
  if (argc == 3) emulator = {argv[2]};
  return RUN_ALL_TESTS();
}
