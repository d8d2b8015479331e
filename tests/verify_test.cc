// Every way in which a vDSO may lie, against a trusted route, by fake routes.

#include "runtime/time/verify.h"

#include <errno.h>
#include <stdint.h>

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/info.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr int64_t kSecond = 1000000000;

KernelTimespec ToTimespec(int64_t ns) { return {ns / kSecond, ns % kSecond}; }

// The kernel's time: it goes on by a step at every look, and may be set.
struct Kernel {
  int64_t now[2] = {1800000000 * kSecond, 10000 * kSecond};  // by clock id
  int64_t step = 100;
  int reads = 0;
  std::function<void(Kernel*)> before_read;

  int64_t Read(int32_t clockid) {
    ++reads;
    if (before_read) before_read(this);
    return now[clockid] += step;
  }
};
Kernel kernel;

int TrustedRoute(int32_t clockid, KernelTimespec* ts) {
  *ts = ToTimespec(kernel.Read(clockid));
  return 0;
}

// The route under test answers what this returns; the second argument is the
// right answer.
using Answer = std::function<int(int32_t clockid, int64_t, KernelTimespec* ts)>;
Answer answer;

int RouteUnderTest(int32_t clockid, KernelTimespec* ts) {
  return answer(clockid, kernel.Read(clockid), ts);
}

int Verify(Answer a, Route trusted = TrustedRoute) {
  answer = std::move(a);
  return VerifyRoute(RouteUnderTest, trusted);
}

int Honest(int32_t, int64_t ns, KernelTimespec* ts) {
  *ts = ToTimespec(ns);
  return 0;
}

class VerifyTest : public RoutesFixture {
 protected:
  VerifyTest() { kernel = Kernel(); }
};

TEST_F(VerifyTest, AnHonestRouteHolds) {
  EXPECT_EQ(Verify(Honest), RUNTIME_VERIFY_HELD);
}

// A coarse clock tells the same time again and again, and is right.
TEST_F(VerifyTest, AClockThatHardlyTicksHolds) {
  kernel.step = 0;
  EXPECT_EQ(Verify(Honest), RUNTIME_VERIFY_HELD);
}

TEST_F(VerifyTest, TheClocksAreHeldSeparately) {
  for (const int32_t liar : {0, 1}) {
    const auto lie = [liar](int32_t clockid, int64_t ns, KernelTimespec* ts) {
      *ts = ToTimespec(clockid == liar ? ns - 3600 * kSecond : ns);
      return 0;
    };
    EXPECT_EQ(Verify(lie), RUNTIME_VERIFY_LIED) << liar;
  }
}

// Off answers the kernel's next, or last, time and so much more.
Answer Off(int64_t ns) {
  return [ns](int32_t, int64_t right, KernelTimespec* ts) {
    *ts = ToTimespec(right + ns);
    return 0;
  };
}

struct OffCase {
  const char* name;
  int64_t ns;
  int want;
};

class OffTest : public VerifyTest,
                public testing::WithParamInterface<OffCase> {};

TEST_P(OffTest, Judged) {
  EXPECT_EQ(Verify(Off(GetParam().ns)), GetParam().want);
}

// The route's times lie one and two steps of 100 ns behind the first of the
// bracket, the last one three: so far may it be off, and no nanosecond more.
INSTANTIATE_TEST_SUITE_P(
    Offs, OffTest,
    testing::Values(OffCase{"HourFast", 3600 * kSecond, RUNTIME_VERIFY_LIED},
                    OffCase{"HourSlow", -3600 * kSecond, RUNTIME_VERIFY_LIED},
                    OffCase{"SecondSlow", -kSecond, RUNTIME_VERIFY_LIED},
                    OffCase{"AtTheStart", -100, RUNTIME_VERIFY_HELD},
                    OffCase{"NanosecondBefore", -101, RUNTIME_VERIFY_LIED},
                    OffCase{"AtTheEnd", 100, RUNTIME_VERIFY_HELD},
                    OffCase{"NanosecondBehind", 101, RUNTIME_VERIFY_LIED}),
    [](const auto& info) { return info.param.name; });

TEST_F(VerifyTest, AConstantIsCaughtWhateverItIs) {
  for (const int64_t constant :
       {int64_t{0}, kernel.now[1] + 200, kernel.now[0] + 200}) {
    kernel = Kernel();
    EXPECT_EQ(Verify([constant](int32_t, int64_t, KernelTimespec* ts) {
                *ts = ToTimespec(constant);
                return 0;
              }),
              RUNTIME_VERIFY_LIED)
        << constant;
  }
}

TEST_F(VerifyTest, ClocksThatStandStillAreCaught) {
  int64_t first[2] = {};
  EXPECT_EQ(Verify([&first](int32_t id, int64_t right, KernelTimespec* ts) {
              if (first[id] == 0) first[id] = right;
              *ts = ToTimespec(first[id]);
              return 0;
            }),
            RUNTIME_VERIFY_LIED);
}

TEST_F(VerifyTest, BackwardsWithinTheBracketIsCaught) {
  bool second = true;
  EXPECT_EQ(Verify([&second](int32_t, int64_t right, KernelTimespec* ts) {
              second = !second;
              *ts = ToTimespec(second ? right - 101 : right);
              return 0;
            }),
            RUNTIME_VERIFY_LIED);
}

TEST_F(VerifyTest, BackwardsIsCaughtWithoutATrustedRoute) {
  int64_t next = 1000 * kSecond;
  EXPECT_EQ(Verify(
                [&next](int32_t, int64_t, KernelTimespec* ts) {
                  *ts = ToTimespec(--next);
                  return 0;
                },
                nullptr),
            RUNTIME_VERIFY_LIED);
}

TEST_F(VerifyTest, WithoutATrustedRouteNothingIsCertain) {
  EXPECT_EQ(Verify(Honest, nullptr), RUNTIME_VERIFY_NONE);
  EXPECT_EQ(Verify(Off(3600 * kSecond), nullptr), RUNTIME_VERIFY_NONE);
}

TEST_F(VerifyTest, ATrustedRouteThatFailsProvesNothing) {
  const Route failing = [](int32_t, KernelTimespec*) { return -EPERM; };
  EXPECT_EQ(Verify(Off(3600 * kSecond), failing), RUNTIME_VERIFY_NONE);
}

TEST_F(VerifyTest, LyingEverySecondTimeIsCaught) {
  int reads = 0;
  EXPECT_EQ(Verify([&reads](int32_t, int64_t right, KernelTimespec* ts) {
              *ts = ToTimespec(++reads % 4 < 2 ? right : right + kSecond);
              return 0;
            }),
            RUNTIME_VERIFY_LIED);
}

struct Failing {
  const char* name;
  int rc;
  KernelTimespec time;
  bool writes;
};

class FailingTest : public VerifyTest,
                    public testing::WithParamInterface<Failing> {};

TEST_P(FailingTest, Fails) {
  for (const Route trusted : {static_cast<Route>(TrustedRoute), Route()}) {
    EXPECT_EQ(Verify(
                  [](int32_t, int64_t, KernelTimespec* ts) {
                    if (GetParam().writes) *ts = GetParam().time;
                    return GetParam().rc;
                  },
                  trusted),
              RUNTIME_VERIFY_FAILED);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Failings, FailingTest,
    testing::Values(Failing{"Enosys", -ENOSYS, {}, false},
                    Failing{"Einval", -EINVAL, {}, false},
                    Failing{"PositiveErrno", EPERM, {}, false},
                    Failing{"WroteNothing", 0, {}, false},
                    Failing{"NsecIsASecond", 0, {1, kSecond}, true},
                    Failing{"NsecNegative", 0, {1, -1}, true}),
    [](const auto& info) { return info.param.name; });

// Somebody sets the clock in the middle of a round: the route told the truth.
TEST_F(VerifyTest, OneStepOfTheClockIsNoLie) {
  for (int at = 1; at <= 20; ++at) {
    kernel = Kernel();
    kernel.before_read = [at](Kernel* k) {
      if (k->reads == at) k->now[0] -= 3600 * kSecond;
    };
    EXPECT_EQ(Verify(Honest), RUNTIME_VERIFY_HELD) << "at read " << at;
  }
}

TEST_F(VerifyTest, ItEnds) {
  Verify(Honest);
  EXPECT_LE(kernel.reads, 16);
  kernel = Kernel();
  Verify(Off(kSecond));
  EXPECT_LE(kernel.reads, 16);
}

// The real vDSO against the real traps.
TEST_F(VerifyTest, TheRealRoutesHold) {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR), &syms);
  CandidateList list = {};
  FindVdsoRoutes(syms, &list);
  FindTraps(false, &list);
  const Route trusted = list.candidates[list.size - 1].route;
  for (int i = 0; i < list.size; ++i) {
    for (int round = 0; round < 1000; ++round) {
      ASSERT_EQ(VerifyRoute(list.candidates[i].route, trusted),
                RUNTIME_VERIFY_HELD)
          << list.candidates[i].symbol;
    }
  }
}

}  // namespace
}  // namespace runtime
