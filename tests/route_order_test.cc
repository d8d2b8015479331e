// The order of routes for what a vDSO has or lacks, and 32-bit times.

#include <errno.h>
#include <stdint.h>

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "runtime/time/traps.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

int Count(const RouteList& list) {
  int n = 0;
  while (n < kMaxRoutes && list.routes[n] != nullptr) ++n;
  return n;
}

template <typename F>
uintptr_t Address(F* fn) {
  return reinterpret_cast<uintptr_t>(fn);
}

int Fake64(int32_t, KernelTimespec* ts) {
  *ts = {64, 64};
  return 0;
}

class RouteOrderTest : public RoutesFixture {
 protected:
  vdsoSymbols syms_;
};

TEST_F(RouteOrderTest, NoVdsoLeavesTheTraps) {
  const RouteList list = VdsoRoutes(syms_);
  ASSERT_EQ(Count(list), Count(kTraps));
  for (int i = 0; i < Count(kTraps); ++i) {
    EXPECT_EQ(list.routes[i], kTraps.routes[i]);
  }
}

#ifdef __LP64__

TEST_F(RouteOrderTest, VdsoThenSyscall) {
  syms_.vdsoClockgettimeSym = Address(Fake64);
  const RouteList list = VdsoRoutes(syms_);
  ASSERT_EQ(Count(list), 2);
  EXPECT_EQ(list.routes[0], Fake64);
  EXPECT_EQ(list.routes[1], runtime_sysClockGettime);
}

#else

OldTimespec old_time;
int old_rc;

int Fake32(int32_t, OldTimespec* ts) {
  if (old_rc == 0) *ts = old_time;
  return old_rc;
}

TEST_F(RouteOrderTest, Time64BeforeTime32AndVdsoBeforeSyscall) {
  syms_.vdsoClockgettime64Sym = Address(Fake64);
  syms_.vdsoClockgettimeSym = Address(Fake32);
  const RouteList list = VdsoRoutes(syms_);
  ASSERT_EQ(Count(list), 4);
  EXPECT_EQ(list.routes[0], Fake64);
  EXPECT_EQ(list.routes[2], runtime_sysClockGettime64);
  EXPECT_EQ(list.routes[3], SyscallOldClockGettime);
}

TEST_F(RouteOrderTest, OnlyTheOldVdsoFunction) {
  syms_.vdsoClockgettimeSym = Address(Fake32);
  const RouteList list = VdsoRoutes(syms_);
  ASSERT_EQ(Count(list), 3);
  EXPECT_EQ(list.routes[1], runtime_sysClockGettime64);
}

TEST_F(RouteOrderTest, OnlyTheNewVdsoFunction) {
  syms_.vdsoClockgettime64Sym = Address(Fake64);
  const RouteList list = VdsoRoutes(syms_);
#ifdef __arm__
  EXPECT_EQ(Count(list), 2) << "a blanked image is not to be trusted";
#else
  ASSERT_EQ(Count(list), 3);
  EXPECT_EQ(list.routes[0], Fake64);
#endif
}

TEST_F(RouteOrderTest, OldTimesAreWidened) {
  syms_.vdsoClockgettimeSym = Address(Fake32);
  SetRoutes(VdsoRoutes(syms_));
  old_rc = 0;
  struct Edge {
    uint32_t sec;
    int64_t want;
  };
  for (const Edge& edge : {Edge{0, 0}, Edge{0x7fffffff, 0x7fffffff},
                           Edge{0x80000000, 0x80000000},     // 2038
                           Edge{0xffffffff, 0xffffffff}}) {  // 2106
    old_time = {edge.sec, 999999999};
    EXPECT_EQ(runtime_walltime().sec, edge.want);
    EXPECT_EQ(runtime_now().nsec, 999999999);
  }
}

TEST_F(RouteOrderTest, AnOldFunctionThatFailsFallsThrough) {
  syms_.vdsoClockgettimeSym = Address(Fake32);
  RouteList list = VdsoRoutes(syms_);
  list.routes[1] = Fake64;
  SetRoutes(list);
  old_rc = -ENOSYS;
  EXPECT_EQ(runtime_walltime().sec, 64);
  old_rc = 0;
  old_time = {1, -1};  // as if it had written nothing
  EXPECT_EQ(runtime_walltime().sec, 64);
}

TEST_F(RouteOrderTest, TheOldTrapReadsTheSameClock) {
  const int64_t before = runtime_nanotime();
  KernelTimespec ts;
  ASSERT_EQ(SyscallOldClockGettime(1, &ts), 0);
  const int64_t between = ts.sec * 1000000000 + ts.nsec;
  EXPECT_LE(before, between);
  EXPECT_LE(between, runtime_nanotime());
}

#endif

}  // namespace
}  // namespace runtime
