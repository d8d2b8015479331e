// The order of routes for what a vDSO has or lacks, and 32-bit times.

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// Order is what the vDSO and this kernel offer.
CandidateList Order(const vdsoSymbols& syms, bool filtered = false) {
  CandidateList list = {};
  FindVdsoRoutes(syms, &list);
  FindTraps(filtered, &list);
  return list;
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
  const CandidateList list = Order(syms_);
  ASSERT_GT(list.size, 0);
  for (int i = 0; i < list.size; ++i) {
    EXPECT_TRUE(IsTrap(list.candidates[i].route));
    EXPECT_EQ(list.candidates[i].kind, RUNTIME_ROUTE_SYSCALL);
    EXPECT_EQ(list.candidates[i].address, 0u);
  }
}

#ifdef __LP64__

TEST_F(RouteOrderTest, VdsoThenSyscall) {
  syms_.vdsoClockgettimeSym = Address(Fake64);
  const CandidateList list = Order(syms_);
  ASSERT_EQ(list.size, 2);
  EXPECT_EQ(list.candidates[0].route, Fake64);
  EXPECT_EQ(list.candidates[0].kind, RUNTIME_ROUTE_VDSO);
  EXPECT_EQ(list.candidates[1].route, runtime_sysClockGettime);
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
  const CandidateList list = Order(syms_);
  ASSERT_EQ(list.size, 4);
  EXPECT_EQ(list.candidates[0].route, Fake64);
  EXPECT_EQ(list.candidates[1].address, Address(Fake32));
  EXPECT_EQ(list.candidates[2].route, runtime_sysClockGettime64);
  EXPECT_EQ(list.candidates[3].route, SyscallOldClockGettime);
}

TEST_F(RouteOrderTest, OnlyTheOldVdsoFunction) {
  syms_.vdsoClockgettimeSym = Address(Fake32);
  const CandidateList list = Order(syms_);
  ASSERT_EQ(list.size, 3);
  EXPECT_EQ(list.candidates[1].route, runtime_sysClockGettime64);
}

TEST_F(RouteOrderTest, OnlyTheNewVdsoFunction) {
  syms_.vdsoClockgettime64Sym = Address(Fake64);
  const CandidateList list = Order(syms_);
#ifdef __arm__
  EXPECT_EQ(list.size, 2) << "a blanked image is not to be trusted";
#else
  ASSERT_EQ(list.size, 3);
  EXPECT_EQ(list.candidates[0].route, Fake64);
#endif
}

TEST_F(RouteOrderTest, AFilterSeesTheOldCallFirst) {
  const CandidateList list = Order(syms_, /*filtered=*/true);
  ASSERT_EQ(list.size, 2);
  EXPECT_EQ(list.candidates[0].route, SyscallOldClockGettime);
  EXPECT_EQ(list.candidates[1].route, runtime_sysClockGettime64);
}

// StoreOld puts a function with old times, behind its adapter, and then Fake64
// in force.
void StoreOld(OldRoute function = Fake32) {
  vdsoSymbols syms;
  syms.vdsoClockgettimeSym = Address(function);
  RouteLock()->Lock();
  ASSERT_TRUE(OpenRoutes());
  BindVdsoRoutes(syms);
  StoreRoutes({{Order(syms).candidates[0].route, Fake64}}, nullptr);
  CloseRoutes();
  RouteLock()->Unlock();
}

TEST_F(RouteOrderTest, OldTimesAreWidened) {
  StoreOld();
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
  StoreOld();
  old_rc = -ENOSYS;
  EXPECT_EQ(runtime_walltime().sec, 64);
  old_rc = 0;
  old_time = {1, -1};  // as if it had written nothing
  EXPECT_EQ(runtime_walltime().sec, 64);
}

TEST_F(RouteOrderTest, AnOldFunctionThatWritesNanosecondsOnlyFallsThrough) {
  const OldRoute function = [](int32_t, OldTimespec* ts) {
    ts->nsec = 5;
    return 0;
  };
  StoreOld(function);
  EXPECT_EQ(runtime_walltime().sec, 64);
  EXPECT_EQ(runtime_walltime().nsec, 64);
}

// A vDSO that falls back to the syscall with 64-bit times, on the old buffer.
TEST_F(RouteOrderTest, AnOldFunctionThatWritesNewTimes) {
  const auto writes_wide = [](int32_t, OldTimespec* ts) {
    const KernelTimespec wide = {1800000000, 123456789};
    memcpy(ts, &wide, sizeof wide);
    return 0;
  };
  int (*const function)(int32_t, OldTimespec*) = writes_wide;
  StoreOld(function);
  const runtime_Walltime wall = runtime_walltime();
  EXPECT_EQ(wall.sec, 1800000000);
  EXPECT_EQ(wall.nsec, 123456789);
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
