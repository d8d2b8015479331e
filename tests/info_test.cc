// What the component says of itself, and being told which way to read, with a
// vDSO of the test's own.

#include "runtime/time/info.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"
#include "tests/fake_vdso.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr int kVdsoRoutes = sizeof(void*) == 8 ? 1 : 2;

// The clock of the vDSO: the kernel's, or not quite.
enum class Clock { kHonest, kHourFast, kStopped, kFails, kSilent };
Clock clock_kind;
int clock_calls;

int VdsoClock(int32_t clockid, KernelTimespec* ts) {
  ++clock_calls;
  if (clock_kind == Clock::kFails) return -ENOSYS;
  if (clock_kind == Clock::kSilent) return 0;
  const Route trap =
      kTraps.routes[kVdsoRoutes - 1];  // the old one is on every kernel
  const int rc = trap(clockid, ts);
  if (clock_kind == Clock::kHourFast) ts->sec += 3600;
  if (clock_kind == Clock::kStopped) *ts = {1000, 0};
  return rc;
}

class InfoTest : public RoutesFixture {
 protected:
  InfoTest() : vdso_(VdsoClock) {
    clock_kind = Clock::kHonest;
    clock_calls = 0;
  }

  runtime_TimeInfo Info() {
    runtime_TimeInfo info;
    EXPECT_EQ(runtime_timeInfo(&info), 0);
    return info;
  }

  int InUse() {
    const runtime_TimeInfo info = Info();
    for (int i = 0; i < info.route_count; ++i) {
      if (info.routes[i].state == RUNTIME_STATE_IN_USE) return i;
    }
    return -1;
  }

  static void ExpectRightTime() {
    KernelTimespec before, after;
    const Route trap = kTraps.routes[kVdsoRoutes - 1];
    ASSERT_EQ(trap(0, &before), 0);
    const runtime_Walltime wall = runtime_walltime();
    ASSERT_EQ(trap(0, &after), 0);
    EXPECT_LE(before.sec, wall.sec);
    EXPECT_LE(wall.sec, after.sec);
  }

  FakeVdso vdso_;
};

TEST_F(InfoTest, DescribesEveryRoute) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  const runtime_TimeInfo info = Info();
  ASSERT_GT(info.route_count, kVdsoRoutes);
  for (int i = 0; i < info.route_count; ++i) {
    const runtime_RouteInfo& route = info.routes[i];
    const bool is_vdso = i < kVdsoRoutes;
    EXPECT_EQ(route.kind, is_vdso ? RUNTIME_ROUTE_VDSO : RUNTIME_ROUTE_SYSCALL);
    EXPECT_EQ(route.verification,
              is_vdso ? RUNTIME_VERIFY_HELD : RUNTIME_VERIFY_NONE);
    EXPECT_EQ(route.state, i == 0 ? RUNTIME_STATE_IN_USE : RUNTIME_STATE_NEXT);
    EXPECT_EQ(route.failures, 0u);
    EXPECT_EQ(route.version != nullptr, is_vdso);
    EXPECT_EQ(inVDSOPage(route.address), is_vdso);
    EXPECT_NE(strstr(route.symbol, "clock_gettime"), nullptr);
    if (is_vdso) {
      EXPECT_STREQ(route.symbol, vdsoSymbolKeys[i].name);
      EXPECT_STREQ(route.version, vdsoSymbolKeys[i].version.version);
    }
  }
  EXPECT_EQ(info.forced, RUNTIME_ROUTE_AUTO);
  EXPECT_EQ(info.hash_table, RUNTIME_HASH_GNU);
  EXPECT_EQ(info.load_start, vdso_.base());
  EXPECT_GT(info.load_end, info.load_start);
  EXPECT_GE(info.text_start, info.load_start);
  EXPECT_LE(info.text_end, info.load_end);
  EXPECT_EQ(info.sealed, RoutesAreSealed() ? 1 : 0);
}

TEST_F(InfoTest, WithoutAVdsoThereAreTheTraps) {
  ASSERT_EQ(InitFromSysinfoEhdr(0), 0);
  const runtime_TimeInfo info = Info();
  EXPECT_EQ(info.hash_table, RUNTIME_HASH_NONE);
  EXPECT_EQ(info.load_end, 0u);
  EXPECT_EQ(info.text_end, 0u);
  ASSERT_GT(info.route_count, 0);
  EXPECT_EQ(info.routes[0].kind, RUNTIME_ROUTE_SYSCALL);
  EXPECT_EQ(info.routes[0].state, RUNTIME_STATE_IN_USE);
}

struct Liar {
  const char* name;
  Clock clock;
  int verification;
};

class LiarTest : public InfoTest, public testing::WithParamInterface<Liar> {};

// The whole way: a vDSO that lies is found, verified, refused and counted, and
// the time is right.
TEST_P(LiarTest, IsRefusedAndCounted) {
  clock_kind = GetParam().clock;
  const uint32_t before = Info().rejections;
  EXPECT_EQ(InitFromSysinfoEhdr(vdso_.base()), 0);
  const runtime_TimeInfo info = Info();
  EXPECT_EQ(info.rejections, before + kVdsoRoutes);
  for (int i = 0; i < kVdsoRoutes; ++i) {
    EXPECT_EQ(info.routes[i].verification, GetParam().verification);
    EXPECT_EQ(info.routes[i].state, RUNTIME_STATE_UNUSED);
  }
  EXPECT_EQ(info.routes[kVdsoRoutes].state, RUNTIME_STATE_IN_USE);
  ExpectRightTime();
  // The kernel was updated, or whatever; the next initialisation sees for
  // itself.
  clock_kind = Clock::kHonest;
  EXPECT_EQ(runtime_timeVerify(), 1);
  EXPECT_EQ(InUse(), 0);
  clock_kind = GetParam().clock;
  EXPECT_EQ(runtime_timeVerify(), 0);
  ExpectRightTime();
}

INSTANTIATE_TEST_SUITE_P(
    Liars, LiarTest,
    testing::Values(Liar{"HourFast", Clock::kHourFast, RUNTIME_VERIFY_LIED},
                    Liar{"Stopped", Clock::kStopped, RUNTIME_VERIFY_LIED},
                    Liar{"Fails", Clock::kFails, RUNTIME_VERIFY_FAILED},
                    Liar{"Silent", Clock::kSilent, RUNTIME_VERIFY_FAILED}),
    [](const auto& info) { return info.param.name; });

TEST_F(InfoTest, ARouteThatKeepsFailingIsShown) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  const uint32_t before = Info().demotions;
  clock_kind = Clock::kFails;
  runtime_walltime();
  EXPECT_EQ(Info().routes[0].failures, 1u);
  EXPECT_EQ(InUse(), 0) << "one failure may be an accident";
  for (int i = 0; i < 10; ++i) ExpectRightTime();
  const runtime_TimeInfo info = Info();
  EXPECT_EQ(info.demotions, before + 1);
  for (int i = 0; i < kVdsoRoutes; ++i) {
    EXPECT_EQ(info.routes[i].state, RUNTIME_STATE_DEMOTED);
    EXPECT_GE(info.routes[i].failures, kFailuresBeforeDemotion);
  }
  EXPECT_EQ(InUse(), kVdsoRoutes);
}

TEST_F(InfoTest, ForcedToTheSyscallTheVdsoIsLeftAlone) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  clock_calls = 0;
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_SYSCALL), 0);
  EXPECT_EQ(InUse(), kVdsoRoutes);
  EXPECT_EQ(Info().forced, RUNTIME_ROUTE_SYSCALL);
  ExpectRightTime();
  EXPECT_EQ(InitFromSysinfoEhdr(vdso_.base()), 0) << "also from now on";
  EXPECT_EQ(runtime_timeVerify(), 0);
  ExpectRightTime();
  EXPECT_EQ(clock_calls, 0);
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_AUTO), 0);
  EXPECT_EQ(InUse(), 0);
}

TEST_F(InfoTest, ForcedToTheVdsoThereIsNoOtherWay) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_VDSO), 0);
  const runtime_TimeInfo info = Info();
  for (int i = kVdsoRoutes; i < info.route_count; ++i) {
    EXPECT_EQ(info.routes[i].state, RUNTIME_STATE_UNUSED);
  }
  ExpectRightTime();
  clock_kind = Clock::kFails;
  EXPECT_DEATH(runtime_nanotime(), "no route can read clock 1");
}

TEST_F(InfoTest, AForcedVdsoIsNotVerified) {
  clock_kind = Clock::kHourFast;
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 0);
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_VDSO), 0);
  EXPECT_EQ(InUse(), 0);
  EXPECT_EQ(Info().routes[0].verification, RUNTIME_VERIFY_NONE);
}

TEST_F(InfoTest, AVdsoThatIsNotThereCannotBeForced) {
  InitFromSysinfoEhdr(0);
  EXPECT_EQ(runtime_forceRoute(RUNTIME_ROUTE_VDSO), -ENOENT);
  EXPECT_EQ(Info().forced, RUNTIME_ROUTE_AUTO);
  ExpectRightTime();
}

TEST_F(InfoTest, AForcedVdsoThatIsGoneIsForcedWhenItIsBack) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_VDSO), 0);
  EXPECT_EQ(InitFromSysinfoEhdr(0), 0);
  EXPECT_EQ(Info().forced, RUNTIME_ROUTE_VDSO);
  EXPECT_EQ(InUse(), 0) << "the syscall, all that there is";
  ExpectRightTime();
  EXPECT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  EXPECT_EQ(InUse(), 0);
  EXPECT_EQ(Info().routes[kVdsoRoutes].state, RUNTIME_STATE_UNUSED);
}

TEST_F(InfoTest, OtherNumbersAreNoRoutes) {
  ASSERT_EQ(InitFromSysinfoEhdr(vdso_.base()), 1);
  for (const int route : {-1, 3, 1000}) {
    EXPECT_EQ(runtime_forceRoute(route), -EINVAL) << route;
  }
  EXPECT_EQ(InUse(), 0);
}

#ifdef __i386__

void DoesNothing() {}

// A vDSO whose __kernel_vsyscall enters no kernel: int $0x80 is left.
TEST_F(InfoTest, AWayIntoTheKernelThatLeadsNowhereIsNotTaken) {
  const FakeVdso broken(VdsoClock, DoesNothing);
  InitFromSysinfoEhdr(broken.base());
  EXPECT_EQ(runtime_sysVsyscall, reinterpret_cast<uintptr_t>(runtime_sysInt80));
  ASSERT_EQ(runtime_forceRoute(RUNTIME_ROUTE_SYSCALL), 0);
  ExpectRightTime();
}

#endif

TEST_F(InfoTest, AskingInTheMiddleOfAnInitialisationIsRefused) {
  ASSERT_TRUE(RouteLock()->Lock());
  runtime_TimeInfo info;
  EXPECT_EQ(runtime_timeInfo(&info), -EBUSY);
  EXPECT_EQ(runtime_forceRoute(RUNTIME_ROUTE_SYSCALL), -EBUSY);
  EXPECT_GE(InitFromSysinfoEhdr(vdso_.base()), 0) << "what was in force before";
  RouteLock()->Unlock();
}

}  // namespace
}  // namespace runtime
