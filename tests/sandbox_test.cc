// What becomes of readings when a sandbox interferes with the clock syscalls:
// each of them, in every way, before and after initialisation, with the vDSO
// and without.

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <thread>  // NOLINT(build/c++11)
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/info.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"

namespace runtime {
namespace {

// How a child's part of a test ends.
enum Status { kRight = 0, kWrongTime = 2, kNoFilter = 3, kUnexpected = 4 };

constexpr int64_t kSecond = 1000000000;

// Reference is what libc said before the sandbox closed.
struct Reference {
  Reference() {
    clock_gettime(CLOCK_MONOTONIC, &mono);
    clock_gettime(CLOCK_REALTIME, &wall);
  }

  timespec mono;
  timespec wall;
};

bool Near(int64_t seconds, const timespec& reference) {
  return seconds >= reference.tv_sec && seconds < reference.tv_sec + 3600;
}

Status ReadAll(const Reference& reference) {
  for (int i = 0; i < 100; ++i) {
    const runtime_Now now = runtime_now();
    if (!Near(runtime_nanotime() / kSecond, reference.mono) ||
        !Near(runtime_walltime().sec, reference.wall) ||
        !Near(now.sec, reference.wall) ||
        !Near(now.mono / kSecond, reference.mono)) {
      return kWrongTime;
    }
  }
  return kRight;
}

class SandboxTest : public RoutesFixture {
 protected:
  void SetUp() override {
    if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
  }
};

// Which of the clock syscalls are interfered with.
enum class Calls { kTime64, kTime32, kAll };
struct Action {
  const char* name;
  uint32_t action;
  bool deadly;
};
enum class When { kBeforeInit, kAfterInit };

using MatrixParam = std::tuple<Calls, Action, When, bool>;

std::string MatrixName(const testing::TestParamInfo<MatrixParam>& info) {
  const auto& [calls, action, when, vdso] = info.param;
  std::string name = calls == Calls::kTime64   ? "Time64"
                     : calls == Calls::kTime32 ? "Time32"
                                               : "All";
  name += action.name;
  name += when == When::kBeforeInit ? "BeforeInit" : "AfterInit";
  return name + (vdso ? "WithVdso" : "WithoutVdso");
}

class SandboxMatrixTest : public SandboxTest,
                          public testing::WithParamInterface<MatrixParam> {
 protected:
  static std::vector<SyscallRule> Rules(Calls calls, uint32_t action) {
    std::vector<SyscallRule> rules;
    const std::vector<int> numbers = ClockSyscalls();
    if (calls != Calls::kTime32) rules.push_back({numbers.front(), action});
    if (calls != Calls::kTime64) rules.push_back({numbers.back(), action});
    return rules;
  }

  [[noreturn]] static void Run(const MatrixParam& param) {
    const auto& [calls, action, when, vdso] = param;
    const uintptr_t ehdr = vdso ? getauxval(AT_SYSINFO_EHDR) : 0;
    const Reference reference;
    if (when == When::kAfterInit) InitFromSysinfoEhdr(ehdr);
    if (!InstallFilter(Rules(calls, action.action))) _exit(kNoFilter);
    if (when == When::kBeforeInit) InitFromSysinfoEhdr(ehdr);
    _exit(ReadAll(reference));
  }

  // Without a vDSO some trap must be let through: one that is not interfered
  // with, or, on 386 and arm, the first that is tried. That is the one with
  // 64-bit times, and the other one under a filter that was there first.
  static bool IsReadable(const MatrixParam& param) {
    const auto& [calls, action, when, vdso] = param;
    if (vdso) return true;
    if (ClockSyscalls().size() == 1 || calls == Calls::kAll) return false;
    if (!action.deadly) return true;
    return (calls == Calls::kTime64) == (when == When::kBeforeInit);
  }
};

TEST_P(SandboxMatrixTest, RightTimeOrAClearEnd) {
  const auto& [calls, action, when, vdso] = GetParam();
  if (vdso && getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "no vDSO here";
  if (IsReadable(GetParam())) {
    EXPECT_EXIT(Run(GetParam()), testing::ExitedWithCode(kRight), "");
  } else if (action.deadly) {
    EXPECT_EXIT(Run(GetParam()), testing::KilledBySignal(SIGSYS), "");
  } else {
    EXPECT_EXIT(Run(GetParam()), testing::KilledBySignal(SIGABRT),
                "nanotime: no route can read clock [01]: errno [0-9]+\n");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Matrix, SandboxMatrixTest,
    testing::Combine(
#ifdef __LP64__
        testing::Values(Calls::kAll),
#else
        testing::Values(Calls::kTime64, Calls::kTime32, Calls::kAll),
#endif
        testing::Values(Action{"Eperm", SECCOMP_RET_ERRNO | EPERM, false},
                        Action{"Enosys", SECCOMP_RET_ERRNO | ENOSYS, false},
                        Action{"WritesNothing", SECCOMP_RET_ERRNO | 0, false},
                        Action{"Trap", SECCOMP_RET_TRAP, true},
                        Action{"Kill", SECCOMP_RET_KILL_PROCESS, true}),
        testing::Values(When::kBeforeInit, When::kAfterInit), testing::Bool()),
    MatrixName);

#ifndef __LP64__

// A kernel whose release says that it is too old for the call: before and after
// initialisation it is not tried.
TEST_F(SandboxTest, NoTime64CallOnAKernelThatCannotHaveIt) {
  const auto run = [](bool init) {
    const Reference reference;
    personality(PER_LINUX | UNAME26);
    SetRoutes(kTraps);
    if (init) InitFromSysinfoEhdr(0);
    if (!InstallFilter({{SYS_clock_gettime64, SECCOMP_RET_KILL_PROCESS}})) {
      _exit(kNoFilter);
    }
    _exit(ReadAll(reference));
  };
  EXPECT_EXIT(run(false), testing::ExitedWithCode(kRight), "");
  EXPECT_EXIT(run(true), testing::ExitedWithCode(kRight), "");
}

#endif

#if !defined(__x86_64__) && !defined(__i386__)

// seccomp(2), SECCOMP_SET_MODE_STRICT: read, write, exit and sigreturn remain.
// On x86 it forbids the counter as well (kernel/seccomp.c, disable_TSC), so
// that no clock is left.
TEST_F(SandboxTest, StrictModeLeavesTheVdso) {
  if (getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "no vDSO here";
  const auto run = [] {
    const Reference reference;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(kNoFilter);
    syscall(SYS_exit, ReadAll(reference));  // not exit_group
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

#endif

// Under a filter initialisation does not try the traps; told to, it does.
TEST_F(SandboxTest, VerifyingUnderAFilterIsUpToTheEmbedder) {
  if (getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "no vDSO here";
  const auto run = [] {
    if (!InstallFilter({{SYS_sync, SECCOMP_RET_KILL_PROCESS}}))
      _exit(kNoFilter);
    runtime_TimeInfo info;
    InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
    if (runtime_timeInfo(&info) != 0 ||
        info.routes[0].verification != RUNTIME_VERIFY_NONE ||
        info.routes[0].state != RUNTIME_STATE_IN_USE) {
      _exit(kUnexpected);
    }
    if (runtime_timeVerify() != 1 || runtime_timeInfo(&info) != 0 ||
        info.routes[0].verification != RUNTIME_VERIFY_HELD) {
      _exit(kUnexpected);
    }
    _exit(kRight);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

// The sealed page cannot be opened: nothing is written, and nothing faults. A
// filter that answers 0 in mprotect's place is found out.
TEST_F(SandboxTest, WithoutMprotectTheRoutesStayAsTheyAre) {
  if (!RoutesAreSealed()) GTEST_SKIP() << "not sealed";
  for (const uint32_t error : {EPERM, 0}) {
    const auto run = [error](bool sealed_before) {
      const Reference reference;
      if (!sealed_before) {
        RouteLock()->Lock();
        OpenRoutes();
        RouteLock()->Unlock();
      }
      if (!InstallFilter({{SYS_mprotect, SECCOMP_RET_ERRNO | error}})) {
        _exit(kNoFilter);
      }
      const int rc = runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
      InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
      if (rc != (sealed_before ? -EBUSY : 0)) _exit(kUnexpected);
      _exit(ReadAll(reference));
    };
    EXPECT_EXIT(run(true), testing::ExitedWithCode(kRight), "") << error;
#ifndef __i386__  // which has a second page
    EXPECT_EXIT(run(false), testing::ExitedWithCode(kRight), "") << error;
#endif
  }
}

TEST_F(SandboxTest, WithoutMprotectDemotionWaits) {
  const auto run = [] {
    const Reference reference;
    SetRoutes({{[](int32_t, KernelTimespec*) { return -EPERM; },
                kTraps.routes[0], kTraps.routes[1]}});
    if (!InstallFilter({{SYS_mprotect, SECCOMP_RET_ERRNO | EPERM}})) {
      _exit(kNoFilter);
    }
    _exit(ReadAll(reference));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

// Lies that a filter may tell in the kernel's place, each by itself: no fault,
// no hang, no wrong time, and nothing done that could not be.
struct Lie {
  const char* name;
  int number;
  uint32_t error;
};

class LieTest : public SandboxTest, public testing::WithParamInterface<Lie> {};

void ForceInTwoThreads() {
  std::thread threads[2];
  for (std::thread& thread : threads) {
    thread = std::thread([] {
      for (int i = 0; i < 100; ++i) {
        runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
        runtime_forceRoute(RUNTIME_ROUTE_AUTO);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(LieTest, IsSurvived) {
#ifdef __SANITIZE_THREAD__
  if (GetParam().number == SYS_rt_sigprocmask) {
    GTEST_SKIP() << "ThreadSanitizer believes it, and gives up";
  }
#endif
  const auto run = [](const std::vector<uintptr_t>& addresses) {
    const Reference reference;
    const Lie& lie = GetParam();
    const Route failing = [](int32_t, KernelTimespec*) { return -EIO; };
    SetRoutes({{failing, kTraps.routes[0], kTraps.routes[1]}});
    if (!InstallFilter({{lie.number, SECCOMP_RET_ERRNO | lie.error}})) {
      _exit(kNoFilter);
    }
    Status status = ReadAll(reference);
    for (const uintptr_t address : addresses) {
      InitFromSysinfoEhdr(address);
      if (status == kRight) status = ReadAll(reference);
    }
    runtime_timeInit(nullptr);
    for (const int route :
         {RUNTIME_ROUTE_SYSCALL, RUNTIME_ROUTE_VDSO, RUNTIME_ROUTE_AUTO}) {
      runtime_forceRoute(route);
      if (status == kRight) status = ReadAll(reference);
    }
    if (lie.number != SYS_mprotect) ForceInTwoThreads();  // libc needs it
    if (status == kRight) status = ReadAll(reference);
    _exit(status);
  };
  EXPECT_EXIT(run({0x10000, getauxval(AT_SYSINFO_EHDR)}),
              testing::ExitedWithCode(kRight), "");
}

INSTANTIATE_TEST_SUITE_P(
    Lies, LieTest,
    testing::Values(Lie{"EverythingIsReadable", SYS_rt_sigprocmask, EINVAL},
                    Lie{"NothingIsReadable", SYS_rt_sigprocmask, EPERM},
                    Lie{"ProbesSucceed", SYS_rt_sigprocmask, 0},
                    Lie{"MprotectSucceeds", SYS_mprotect, 0},
                    Lie{"NobodyHasAnId", SYS_gettid, 0},
                    Lie{"OthersAreGone", SYS_tgkill, ESRCH},
                    Lie{"WaitingIsForbidden",
#ifdef SYS_poll
                        SYS_poll,
#else
                        SYS_ppoll,
#endif
                        EPERM},
                    Lie{"PrctlKnowsNothing", SYS_prctl, EINVAL},
                    Lie{"PrctlSucceeds", SYS_prctl, 0},
                    Lie{"UnameSaysNothing", SYS_uname, 0}),
    [](const auto& info) { return info.param.name; });

// ... and two at once that would open the page in vain.
TEST_F(SandboxTest, MprotectAndItsProbeBothLie) {
  const auto run = [] {
    const Reference reference;
    if (!InstallFilter({{SYS_mprotect, SECCOMP_RET_ERRNO | 0},
                        {SYS_rt_sigprocmask, SECCOMP_RET_ERRNO | 0}})) {
      _exit(kNoFilter);
    }
    if (RoutesAreSealed() &&
        runtime_forceRoute(RUNTIME_ROUTE_SYSCALL) != -EBUSY) {
      _exit(kUnexpected);
    }
    _exit(ReadAll(reference));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

// A read that is interrupted for ever.
TEST_F(SandboxTest, InitialisationDoesNotReadForEver) {
  const auto run = [] {
    if (!InstallFilter({{SYS_read, SECCOMP_RET_ERRNO | EINTR}})) {
      _exit(kNoFilter);
    }
    _exit(runtime_timeInit(nullptr) == 0 ? kRight : kUnexpected);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

// Who hides the filter does not get the clock calls tried.
TEST_F(SandboxTest, AHiddenFilterIsAFilter) {
  if (getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "no vDSO here";
  for (const uint32_t error : {0, EINVAL, EPERM}) {
    const auto run = [error] {
      const Reference reference;
      std::vector<SyscallRule> rules = {{SYS_prctl, SECCOMP_RET_ERRNO | error}};
      for (const int number : ClockSyscalls()) {
        rules.push_back({number, SECCOMP_RET_KILL_PROCESS});
      }
      if (!InstallFilter(rules)) _exit(kNoFilter);
      // Whether the counter may be read is hidden as well, so that only a
      // forced vDSO is called.
      if (runtime_forceRoute(RUNTIME_ROUTE_VDSO) != 0) _exit(kUnexpected);
      _exit(ReadAll(reference));
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "") << error;
  }
}

// What is told is what was decided, whatever can be found out now.
TEST_F(SandboxTest, InfoTellsWhatInitialisationFound) {
  const auto run = [] {
    runtime_TimeInfo before, after;
    if (runtime_timeInfo(&before) != 0) _exit(kUnexpected);
    if (!InstallFilter({{SYS_rt_sigprocmask, SECCOMP_RET_ERRNO | EPERM}})) {
      _exit(kNoFilter);
    }
    if (runtime_timeInfo(&after) != 0) _exit(kUnexpected);
    _exit(before.route_count == after.route_count &&
                  before.load_start == after.load_start &&
                  before.routes[0].address == after.routes[0].address
              ? kRight
              : kUnexpected);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kRight), "");
}

#if defined(__x86_64__) || defined(__i386__)

// prctl(2), PR_SET_TSC: the vDSO would fault.
TEST_F(SandboxTest, AForbiddenCounterMeansTheSyscall) {
  const auto run = [](bool forced) {
    const Reference reference;
    if (forced) runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) _exit(kNoFilter);
    if (!forced) InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
    if (runtime_forceRoute(RUNTIME_ROUTE_VDSO) != -ENOENT) _exit(kUnexpected);
    runtime_TimeInfo info;
    if (runtime_timeInfo(&info) != 0) _exit(kUnexpected);
    const int want = forced ? RUNTIME_VERIFY_NONE : RUNTIME_VERIFY_FORBIDDEN;
    for (int i = 0; i < info.route_count; ++i) {
      const runtime_RouteInfo& route = info.routes[i];
      if (route.kind != RUNTIME_ROUTE_VDSO) continue;
      if (route.state != RUNTIME_STATE_UNUSED || route.verification != want) {
        _exit(kUnexpected);
      }
    }
    _exit(ReadAll(reference));
  };
  EXPECT_EXIT(run(false), testing::ExitedWithCode(kRight), "");
  EXPECT_EXIT(run(true), testing::ExitedWithCode(kRight), "");
}

#endif

}  // namespace
}  // namespace runtime
