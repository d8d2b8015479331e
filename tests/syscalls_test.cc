// The published list of system calls: complete, and no longer than need be.

#include <elf.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>  // NOLINT(build/c++11)
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sys/sys.h"
#include "runtime/time/bounds.h"
#include "runtime/time/candidates.h"
#include "runtime/time/clocks.h"
#include "runtime/time/info.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"

namespace runtime {
namespace {

const char* sources_report;  // the names in the sources, one a line

std::vector<runtime_Syscall> Published() {
  size_t count = 0;
  const runtime_Syscall* const list = runtime_timeSyscalls(&count);
  return {list, list + count};
}

// Everything that makes system calls, but for the fatal hook. Returns whether
// the time was right all along.
bool DoEverything() {
  const uintptr_t ehdr = getauxval(AT_SYSINFO_EHDR);
  bool ok = runtime_nanotime() > 0;
  runtime_timeInit(nullptr);
  InitFromSysinfoEhdr(ehdr);
  for (const int route :
       {RUNTIME_ROUTE_SYSCALL, RUNTIME_ROUTE_VDSO, RUNTIME_ROUTE_AUTO}) {
    runtime_forceRoute(route);
    ok = ok && runtime_now().mono > 0;
  }
  runtime_timeVerify();
  runtime_TimeInfo info;
  ok = ok && runtime_timeInfo(&info) == 0;
  int error = 0;
  ok = ok && runtime_clockResNs(CLOCK_MONOTONIC, &error) > 0;
  runtime_WalltimeBounds bounds;
  ok = ok && runtime_walltimeBounds(&bounds) == 0;
  alignas(16) static char stack[RUNTIME_VDSO_STACK_MIN];
  ok = ok && runtime_attach(stack, sizeof stack) == 0;
  const Route failing = [](int32_t, KernelTimespec*) { return -1; };
  for (const Route trap : kTraps.routes) {
    if (trap == nullptr) continue;
    SetRoutes({{failing, trap}});
    for (int i = 0; i < 10; ++i) ok = ok && runtime_walltime().sec > 0;
  }
  return ok;
}

// WaitForTheLock is an initialisation that finds another at work. The other
// thread never ends: its end would be another system call.
bool WaitForTheLock() { return !SetRoutes(kTraps); }

void HoldTheLock() {
  std::atomic<bool> held{false};
  std::thread([&held] {
    RouteLock()->Lock();
    held.store(true);
    while (true) pause();
  }).detach();
  while (!held.load()) {
  }
}

class SyscallsTest : public RoutesFixture {
 protected:
  void SetUp() override {
    if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer makes system calls of its own";
#endif
  }

  // Allows what is on the list, but for except, and the end.
  static bool AllowPublished(int except = -1) {
    std::vector<SyscallRule> rules = {{SYS_exit_group, SECCOMP_RET_ALLOW}};
#ifndef __LP64__
    // What is only called on a kernel that lacks the other.
    if (except == SYS_clock_getres_time64) {
      rules.push_back({SYS_clock_getres, SECCOMP_RET_ERRNO | ENOSYS});
    }
    if (except == SYS_clock_adjtime64) {
      rules.push_back({SYS_adjtimex, SECCOMP_RET_ERRNO | ENOSYS});
    }
#endif
    for (const runtime_Syscall& call : Published()) {
      if (call.number != except) {
        rules.push_back({call.number, SECCOMP_RET_ALLOW});
      }
    }
    return InstallFilter(rules, SECCOMP_RET_KILL_PROCESS);
  }
};

TEST_F(SyscallsTest, NothingElseIsCalled) {
  const auto run = [] {
    if (!AllowPublished()) _exit(3);
    _exit(DoEverything() ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(SyscallsTest, NorWhenTwoInitialiseAtOnce) {
  const auto run = [] {
    HoldTheLock();
    if (!AllowPublished()) _exit(3);
    _exit(WaitForTheLock() ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(SyscallsTest, NorByTheFatalHook) {
  const auto run = [] {
    SetRoutes({{[](int32_t, KernelTimespec*) { return -1; }}});
    if (!AllowPublished()) _exit(3);
    runtime_nanotime();
  };
  EXPECT_EXIT(run(), testing::KilledBySignal(SIGABRT), "no route can read");
}

// Each call of the list is really made: without it, somebody dies.
TEST_F(SyscallsTest, NoneIsListedInVain) {
  for (const runtime_Syscall& call : Published()) {
    const auto run = [&call] {
      SetRoutes({{[](int32_t, KernelTimespec*) { return -1; }}});
      HoldTheLock();
      if (!AllowPublished(call.number)) _exit(3);
      WaitForTheLock();
      runtime_nanotime();
    };
    const auto everything = [&call] {
      if (!AllowPublished(call.number)) _exit(3);
      _exit(DoEverything() ? 0 : 1);
    };
    // The way to the fatal hook, where it makes a difference: it dies anyhow.
    const bool fatal = call.number == SYS_getpid || call.number == SYS_tgkill ||
                       call.number == SYS_write ||
                       std::string(call.name).find("poll") != std::string::npos;
    if (fatal) {
      EXPECT_EXIT(run(), testing::KilledBySignal(SIGSYS), "") << call.name;
    } else {
      EXPECT_EXIT(everything(), testing::KilledBySignal(SIGSYS), "")
          << call.name;
    }
  }
}

// What the sources name is on the list, on this arch or on another.
TEST(SyscallListTest, TheSourcesNameNoOther) {
  const std::set<std::string> elsewhere = {
#ifdef __LP64__
      "clock_adjtime64", "clock_getres_time64", "clock_gettime64", "uname",
#endif
#ifdef __NR_poll
      "ppoll",
#else
      "poll",
#endif
  };
  std::set<std::string> published = elsewhere;
  for (const runtime_Syscall& call : Published()) published.insert(call.name);
  std::ifstream file(sources_report);
  std::set<std::string> named;
  for (std::string line; std::getline(file, line);) {
    named.insert(line.substr(line.find("__NR_") + 5));
  }
  EXPECT_EQ(named, published);
}

TEST(SyscallListTest, SaysWhatEachIsFor) {
  std::set<int> numbers;
  for (const runtime_Syscall& call : Published()) {
    EXPECT_TRUE(numbers.insert(call.number).second) << call.name << " twice";
    EXPECT_STRNE(call.purpose, "");
  }
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    fprintf(stderr, "usage: syscalls_test NAMES\n");
    return 2;
  }
  runtime::sources_report = argv[1];
  return RUN_ALL_TESTS();
}
