// Which way a reading goes, proved by a filter that fails the clock syscalls:
// what still reads did not trap, and what does not read did.

#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"

namespace runtime {
namespace {

constexpr int kMark = 77;  // EBADFD: no clock syscall returns it by itself

// FailClockSyscalls makes the clock syscalls of this process return -kMark, and
// returns whether that could be done.
bool FailClockSyscalls() {
  std::vector<SyscallRule> rules;
  for (const int number : ClockSyscalls()) {
    rules.push_back({number, SECCOMP_RET_ERRNO | kMark});
  }
  return InstallFilter(rules);
}

class SeccompTest : public RoutesFixture {
 protected:
  void SetUp() override {
    if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
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
  if (IsTrap(runtime_route.in_use.load())) GTEST_SKIP() << "no vDSO here";
  EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "");
}

TEST_F(SeccompTest, NorDoesItOnAVdsoStack) {
  if (IsTrap(runtime_route.in_use.load())) GTEST_SKIP() << "no vDSO here";
  alignas(16) static char stack[RUNTIME_VDSO_STACK_MIN];
  ASSERT_EQ(runtime_attach(stack, sizeof stack), 0);
  EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "");
}

// On 386 and arm there are two.
TEST_F(SeccompTest, NorDoesAnyVdsoRouteAlone) {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR), &syms);
  CandidateList list = {};
  FindVdsoRoutes(syms, &list);
  if (list.size == 0) GTEST_SKIP() << "no vDSO here";
  for (int i = 0; i < list.size; ++i) {
    SetRoutes({{list.candidates[i].route}});
    EXPECT_EXIT(ReadUnderFilter(), testing::ExitedWithCode(kGood), "")
        << list.candidates[i].symbol;
  }
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
