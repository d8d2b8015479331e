// RUNTIME_TIME_ROUTE: a program that is told by its environment how to read.

#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/time/info.h"
#include "tests/reads_right.h"

namespace runtime {
namespace {

constexpr char kPrintRoute[] = "--print_route";
constexpr int kCannotRun = 127;
constexpr uid_t kNobody = 65534;

// PrintRoute is this program's other main: what its start has found.
int PrintRoute() {
  runtime_TimeInfo info;
  if (runtime_timeInfo(&info) != 0 || !ReadsRight()) return 1;
  const char* in_use = "none";
  for (int i = 0; i < info.route_count; ++i) {
    if (info.routes[i].state != RUNTIME_STATE_IN_USE) continue;
    in_use = info.routes[i].kind == RUNTIME_ROUTE_VDSO ? "vdso" : "syscall";
  }
  printf("route %s forced %d secure %lu\n", in_use, info.forced,
         getauxval(AT_SECURE));
  return 0;
}

struct Output {
  int status = -1;
  std::string text;  // of both standard output and standard error
};

// RunSelf starts path with RUNTIME_TIME_ROUTE=value, after prepare.
Output RunSelf(
    const char* path, const char* value,
    const std::function<void()>& prepare = [] {}) {
  int fds[2];
  if (pipe(fds) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(fds[1], STDOUT_FILENO);
    dup2(fds[1], STDERR_FILENO);
    prepare();
    std::string variable = absl::StrCat("RUNTIME_TIME_ROUTE=", value);
    char* env[] = {value == nullptr ? nullptr : &variable[0], nullptr};
    char flag[sizeof kPrintRoute];
    memcpy(flag, kPrintRoute, sizeof flag);
    char name[] = "environment_test";
    char* argv[] = {name, flag, nullptr};
    execve(path, argv, env);
    _exit(kCannotRun);
  }
  close(fds[1]);
  Output output;
  char buffer[256];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;) {
    output.text.append(buffer, static_cast<size_t>(n));
  }
  close(fds[0]);
  waitpid(child, &output.status, 0);
  return output;
}

constexpr char kSelf[] = "/proc/self/exe";

class VariableTest : public testing::Test {
 protected:
  void SetUp() override {
    if (RunSelf(kSelf, nullptr).status == kCannotRun << 8) {
      GTEST_SKIP() << "this program cannot start itself (qemu-user)";
    }
  }

  // Best says what a program that may choose reads by.
  static const char* Best() {
    return getauxval(AT_SYSINFO_EHDR) != 0 ? "route vdso" : "route syscall";
  }

  static void ExpectOutput(const Output& output, const std::string& want) {
    EXPECT_EQ(output.status, 0) << output.text;
    EXPECT_TRUE(absl::StrContains(output.text, want)) << output.text;
  }
};

TEST_F(VariableTest, ChoosesTheRoute) {
  for (const char* value : {static_cast<const char*>(nullptr), "", "auto"}) {
    ExpectOutput(RunSelf(kSelf, value), absl::StrCat(Best(), " forced 0"));
  }
  ExpectOutput(RunSelf(kSelf, "syscall"), "route syscall forced 2");
}

TEST_F(VariableTest, ForcesTheVdsoWhereThereIsOne) {
  const Output output = RunSelf(kSelf, "vdso");
  if (getauxval(AT_SYSINFO_EHDR) != 0) {
    ExpectOutput(output, "route vdso forced 1");
  } else {
    ExpectOutput(output,
                 "nanotime: RUNTIME_TIME_ROUTE=vdso: no vDSO that can be "
                 "used; using the syscall\nroute syscall forced 0");
  }
}

TEST_F(VariableTest, OtherValuesAreNamed) {
  for (const char* value : {"VDSO", "vdso ", "1", "syscall,vdso"}) {
    ExpectOutput(
        RunSelf(kSelf, value),
        absl::StrCat("nanotime: RUNTIME_TIME_ROUTE=", value,
                     ": neither auto, vdso nor syscall; using auto\n", Best()));
  }
}

// A program that has privileges of its file takes no orders from whoever
// started it.
TEST_F(VariableTest, IsIgnoredByAPrivilegedProgram) {
  if (getuid() != 0) GTEST_SKIP() << "only root can make a set-user-ID copy";
  char copy[] = "/tmp/variable_test.XXXXXX";  // where nobody may go as well
  const int fd = mkstemp(copy);
  ASSERT_GE(fd, 0);
  close(fd);
  std::ofstream(copy, std::ios::binary)
      << std::ifstream(kSelf, std::ios::binary).rdbuf();
  ASSERT_EQ(chmod(copy, 04755), 0);
  const Output output = RunSelf(copy, "syscall", [] {
    if (setresuid(kNobody, kNobody, kNobody) != 0) _exit(kCannotRun);
  });
  unlink(copy);
  if (output.status == kCannotRun << 8 ||
      !absl::StrContains(output.text, "secure 1")) {
    GTEST_SKIP() << "no set-user-ID programs here: " << output.text;
  }
  ExpectOutput(output, absl::StrCat(Best(), " forced 0"));
}

#if defined(__x86_64__) || defined(__i386__)

TEST_F(VariableTest, AForbiddenCounterIsSeenAtTheStart) {
  const auto forbid = [] { prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0); };
  if (getauxval(AT_BASE) != 0) {
    GTEST_SKIP() << "the dynamic linker reads the counter itself";
  }
  ExpectOutput(RunSelf(kSelf, nullptr, forbid), "route syscall forced 0");
  ExpectOutput(RunSelf(kSelf, "syscall", forbid), "route syscall forced 2");
}

#endif

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], runtime::kPrintRoute) == 0) {
    return runtime::PrintRoute();
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
