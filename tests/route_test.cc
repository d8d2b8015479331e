// The order of routes, falling through, demotion, and the edges of the
// arithmetic, by fake routes.

#include "runtime/time/route.h"

#include <errno.h>
#include <stdint.h>

#include <limits>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/time/clock.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// Fake is what a fake route answers, and how often it was asked.
struct Fake {
  int rc = 0;
  KernelTimespec time = {1, 0};
  bool writes = true;
  int calls = 0;
};

Fake fakes[kMaxRoutes];

template <int kIndex>
int FakeRoute(int32_t, KernelTimespec* ts) {
  Fake& fake = fakes[kIndex];
  ++fake.calls;
  if (fake.writes) *ts = fake.time;
  return fake.rc;
}

class RouteTest : public RoutesFixture {
 protected:
  RouteTest() {
    for (int i = 0; i < kMaxRoutes; ++i) {
      fakes[i] = Fake();
      fakes[i].time.sec = i + 1;
    }
    SetRoutes({{FakeRoute<0>, FakeRoute<1>, FakeRoute<2>, FakeRoute<3>}});
  }

  // WhichRoute reads, and tells by the answer which fake gave it.
  static int64_t WhichRoute() { return runtime_walltime().sec - 1; }
};

TEST_F(RouteTest, TheFirstAnswers) {
  EXPECT_EQ(WhichRoute(), 0);
  EXPECT_EQ(fakes[0].calls, 1);
  EXPECT_EQ(fakes[1].calls, 0);
}

TEST_F(RouteTest, NowAsksTwice) {
  const runtime_Now now = runtime_now();
  EXPECT_EQ(now.sec, 1);
  EXPECT_EQ(now.mono, 1000000000);
  EXPECT_EQ(fakes[0].calls, 2);
}

struct Failure {
  const char* name;
  int rc;
  int64_t nsec;
  bool writes;
};

class FailureTest : public RouteTest,
                    public testing::WithParamInterface<Failure> {
 protected:
  static void Break(int i) {
    fakes[i].rc = GetParam().rc;
    fakes[i].time.nsec = GetParam().nsec;
    fakes[i].writes = GetParam().writes;
  }
};

TEST_P(FailureTest, FallsThroughToTheNext) {
  Break(0);
  EXPECT_EQ(WhichRoute(), 1);
  Break(1);
  Break(2);
  EXPECT_EQ(WhichRoute(), 3);
  const runtime_Now now = runtime_now();
  EXPECT_EQ(now.sec, 4);
  EXPECT_EQ(now.mono, 4000000000);
}

TEST_P(FailureTest, RepeatedFailureDemotesButEinvalDoesNot) {
  Break(0);
  const uint32_t before = RouteDemotions();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(WhichRoute(), 1);
  const bool demoted = runtime_route.in_use.load() == FakeRoute<1>;
  EXPECT_EQ(demoted, GetParam().rc != -EINVAL);
  EXPECT_EQ(RouteDemotions() - before, demoted ? 1u : 0u);
}

TEST_P(FailureTest, OneFailureDoesNotDemote) {
  Break(0);
  EXPECT_EQ(WhichRoute(), 1);
  fakes[0] = Fake();
  EXPECT_EQ(WhichRoute(), 0);
  EXPECT_EQ(runtime_route.in_use.load(), FakeRoute<0>);
}

TEST_P(FailureTest, DemotionSkipsWhatFailsAsWell) {
  if (GetParam().rc == -EINVAL) GTEST_SKIP() << "EINVAL does not demote";
  Break(0);
  Break(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(WhichRoute(), 2);
  EXPECT_EQ(runtime_route.in_use.load(), FakeRoute<2>);
  fakes[0] = Fake();
  EXPECT_EQ(WhichRoute(), 2) << "for good";
}

TEST_P(FailureTest, NoRouteIsFatal) {
  for (int i = 0; i < kMaxRoutes; ++i) Break(i);
  EXPECT_DEATH(runtime_nanotime(), "no route can read clock 1: errno");
  EXPECT_DEATH(runtime_walltime(), "no route can read clock 0: errno");
  EXPECT_DEATH(runtime_now(), "no route can read clock 0: errno");
}

INSTANTIATE_TEST_SUITE_P(
    Failures, FailureTest,
    testing::Values(Failure{"Eperm", -EPERM, 0, true},
                    Failure{"Enosys", -ENOSYS, 0, false},
                    Failure{"Einval", -EINVAL, 0, false},
                    Failure{"PositiveErrno", ENOSYS, 0, false},
                    Failure{"WroteNothing", 0, 0, false},
                    Failure{"NsecTooLarge", 0, 1000000000, true},
                    Failure{"NsecNegative", 0, -1, true},
                    Failure{"NsecHuge", 0, int64_t{1} << 32, true}),
    [](const auto& info) { return info.param.name; });

// Another order is put in force while a reading that has failed goes through
// the old one, exactly there: it ends on a route of either.
TEST_F(RouteTest, AnotherOrderInTheMiddleOfAReading) {
  const Route fails_and_changes = [](int32_t, KernelTimespec*) {
    SetRoutes({{FakeRoute<3>}});
    return -EPERM;
  };
  for (int failures = 0; failures < 5; ++failures) {
    SetRoutes({{fails_and_changes, FakeRoute<1>}});
    EXPECT_EQ(WhichRoute(), 3);
    SetRoutes({{fails_and_changes, fails_and_changes, FakeRoute<1>}});
    EXPECT_EQ(WhichRoute(), 3);
  }
}

// The same when a demotion is due: it belongs to the old order.
TEST_F(RouteTest, ADemotionDoesNotUndoAnotherOrder) {
  const Route answers_and_changes = [](int32_t, KernelTimespec* ts) {
    SetRoutes({{FakeRoute<0>}});
    *ts = {5, 0};
    return 0;
  };
  const uint32_t before = RouteDemotions();
  fakes[0].rc = -EPERM;
  SetRoutes({{FakeRoute<0>, FakeRoute<1>, answers_and_changes}});
  for (uint32_t i = 1; i < kFailuresBeforeDemotion; ++i) WhichRoute();
  fakes[1].rc = -EPERM;
  EXPECT_EQ(WhichRoute(), 4);
  EXPECT_EQ(runtime_route.in_use.load(), FakeRoute<0>);
  EXPECT_EQ(RouteDemotions(), before);
}

TEST_F(RouteTest, ALastRouteIsAskedOnceAReading) {
  SetRoutes({{FakeRoute<0>, FakeRoute<1>}});
  fakes[0].rc = -EPERM;
  fakes[1].rc = -EPERM;
  runtime_setFatalHook([](const char*) { _exit(fakes[1].calls); });
  EXPECT_EXIT(runtime_nanotime(), testing::ExitedWithCode(1), "");
}

TEST_F(RouteTest, TheFatalHookReplacesTheMessage) {
  SetRoutes({{FakeRoute<0>}});
  fakes[0].rc = -EPERM;
  runtime_setFatalHook([](const char* message) {
    fprintf(stderr, "hook: %s", message);
    _exit(3);
  });
  EXPECT_EXIT(runtime_nanotime(), testing::ExitedWithCode(3),
              "hook: nanotime: no route can read clock 1: errno 1\n");
}

TEST_F(RouteTest, AHookThatReturnsStillEndsInAbort) {
  SetRoutes({{FakeRoute<0>}});
  fakes[0].rc = -EPERM;
  runtime_setFatalHook([](const char*) {});
  EXPECT_EXIT(runtime_nanotime(), testing::KilledBySignal(SIGABRT), "");
}

TEST_F(RouteTest, RangeOfTheArithmetic) {
  struct Edge {
    KernelTimespec time;
    int64_t ns;
  };
  const Edge edges[] = {
      {{0, 0}, 0},
      {{0, 999999999}, 999999999},
      {{-1, 999999999}, -1},                               // just before 1970
      {{-2208988800, 0}, -2208988800000000000},            // 1900
      {{int64_t{1} << 31, 5}, 2147483648000000005},        // 2038
      {{(int64_t{1} << 32) + 7, 1}, 4294967303000000001},  // 2106
      {{9223372036, 854775807}, std::numeric_limits<int64_t>::max()},   // 2262
      {{-9223372037, 145224192}, std::numeric_limits<int64_t>::min()},  // 1677
  };
  for (const Edge& edge : edges) {
    fakes[0].time = edge.time;
    EXPECT_EQ(runtime_nanotime(), edge.ns);
    EXPECT_EQ(runtime_now().mono, edge.ns);
    EXPECT_EQ(ToAbslTime(runtime_walltime()), absl::FromUnixNanos(edge.ns));
    EXPECT_EQ(ToAbslTime(runtime_now()), absl::FromUnixNanos(edge.ns));
    EXPECT_EQ(ToAbslDuration(runtime_nanotime()), absl::Nanoseconds(edge.ns));
  }
  // Wall time goes on where nanoseconds end.
  fakes[0].time = {int64_t{1} << 40, 999999999};
  EXPECT_EQ(runtime_walltime().sec, int64_t{1} << 40);
  EXPECT_EQ(runtime_now().nsec, 999999999);
  for (const int64_t sec :
       {std::numeric_limits<int64_t>::max(),
        std::numeric_limits<int64_t>::min() + (int64_t{1} << 32)}) {
    fakes[0].time = {sec, 0};
    EXPECT_EQ(runtime_walltime().sec, sec);
    EXPECT_EQ(runtime_now().sec, sec);
  }
}

}  // namespace
}  // namespace runtime
