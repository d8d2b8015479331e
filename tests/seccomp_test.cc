// Which way a reading goes, proved by a filter that fails the clock syscalls:
// what still reads did not trap, and what does not read did.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "runtime/time/traps.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr int kMark = 77;  // EBADFD: no clock syscall returns it by itself

// FailClockSyscalls makes the clock syscalls of this process return -kMark, and
// returns whether that could be done.
bool FailClockSyscalls() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
#ifdef SYS_clock_gettime64
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime64, 0, 1),
#else
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
#endif
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | kMark),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

class SeccompTest : public RoutesFixture {
 protected:
  void SetUp() override {
    if (prctl(PR_GET_SECCOMP) < 0) GTEST_SKIP() << "no seccomp (qemu-user)";
  }
};

// A status for each way that the child's part of a test can go.
enum Status { kGood = 0, kWrongTime = 2, kNoFilter = 3, kFilterLeaks = 4 };

bool Near(int64_t seconds, int64_t other) {
  return seconds >= other && seconds < other + 3600;
}

// ReadUnderFilter runs in a child: reads every clock while the clock syscalls
// fail, and holds the answers against readings made before.
[[noreturn]] void ReadUnderFilter() {
  constexpr int64_t kSecond = 1000000000;
  const int64_t mono = runtime_nanotime() / kSecond;
  const int64_t wall = runtime_walltime().sec;
  if (!FailClockSyscalls()) _exit(kNoFilter);
  KernelTimespec ts;
  for (const Route trap : kTraps.routes) {
    if (trap != nullptr && trap(0, &ts) != -kMark) _exit(kFilterLeaks);
  }
  for (int i = 0; i < 1000; ++i) {
    const runtime_Now now = runtime_now();
    if (!Near(runtime_nanotime() / kSecond, mono) ||
        !Near(runtime_walltime().sec, wall) || !Near(now.sec, wall) ||
        !Near(now.mono / kSecond, mono)) {
      _exit(kWrongTime);
    }
  }
  _exit(kGood);
}

TEST_F(SeccompTest, TheVdsoNeedsNoSyscall) {
  if (runtime_route.load() == kTraps.routes[0]) {
    GTEST_SKIP() << "no vDSO here";
  }
  EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "");
}

TEST_F(SeccompTest, NorDoesItOnAVdsoStack) {
  if (runtime_route.load() == kTraps.routes[0]) {
    GTEST_SKIP() << "no vDSO here";
  }
  alignas(16) static char stack[RUNTIME_VDSO_STACK_MIN];
  runtime_M m;
  ASSERT_EQ(runtime_attach(&m, stack, sizeof stack), 0);
  EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "");
}

// On 386 and arm there are two.
TEST_F(SeccompTest, NorDoesAnyVdsoRouteAlone) {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR), &syms);
  int found = 0;
  for (const Route route : VdsoRoutes(syms).routes) {
    if (route == kTraps.routes[0]) break;
    ++found;
    SetRoutes({{route}});
    EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "")
        << "route " << found;
  }
  if (found == 0) GTEST_SKIP() << "no vDSO here";
}

template <typename Reading>
void UnderFilter(Reading reading) {
  if (FailClockSyscalls()) reading();
}

TEST_F(SeccompTest, TheFallbackTraps) {
  for (const Route trap : kTraps.routes) {
    if (trap == nullptr) break;
    SetRoutes({{trap}});
    EXPECT_DEATH(UnderFilter(runtime_nanotime), "clock 1: errno 77");
    EXPECT_DEATH(UnderFilter(runtime_walltime), "clock 0: errno 77");
    EXPECT_DEATH(UnderFilter(runtime_now), "clock 0: errno 77");
  }
}

TEST_F(SeccompTest, AForbiddenTrapIsAnErrorAndNotATime) {
  SetRoutes(kTraps);
  EXPECT_DEATH(ReadUnderFilter(), "no route can read clock .: errno 77");
}

}  // namespace
}  // namespace runtime
