// Wall-clock and monotonic time of one instant: whatever the kernel does to its
// clocks between any two of the calls that a reading makes, the pair is one
// that they showed during the reading.

#include "runtime/time/pair.h"

#include <errno.h>
#include <time.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/info.h"
#include "runtime/time/time.h"
#include "tests/fake_kernel.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr KernelEvent kOrdinary[] = {
    KernelEvent::kNothing,  KernelEvent::kTime, KernelEvent::kTick,
    KernelEvent::kStepOn,   KernelEvent::kSlew, KernelEvent::kStepBack,
    KernelEvent::kTwoSteps,
};
constexpr KernelEvent kAll[] = {
    KernelEvent::kNothing,        KernelEvent::kTime,
    KernelEvent::kTick,           KernelEvent::kStepOn,
    KernelEvent::kStepBack,       KernelEvent::kStepOnAtOnce,
    KernelEvent::kStepBackAtOnce, KernelEvent::kStepOnAtOnceThenTime,
};

// Script is what happens before each call of the route; then nothing more does.
FakeKernel* kernel;
const std::vector<KernelEvent>* script;
size_t calls;

int ScriptedRoute(int32_t clockid, KernelTimespec* ts) {
  if (calls < script->size()) kernel->Happen((*script)[calls]);
  ++calls;
  return kernel->Read(clockid, ts);
}

// TwoReadings is what has to be found out.
int TwoReadings(runtime_Held*, KernelTimespec* ts) {
  ReadRoute(ScriptedRoute, CLOCK_REALTIME, &ts[0]);
  ReadRoute(ScriptedRoute, CLOCK_MONOTONIC, &ts[1]);
  return 0;
}

// WrongOrder reads the coarse wall clock before the monotonic one: wrong where
// a clock is set in the period of the update before.
int WrongOrder(runtime_Held*, KernelTimespec* ts) {
  KernelTimespec before, coarse, mono, after;
  do {
    ReadRoute(ScriptedRoute, CLOCK_MONOTONIC_COARSE, &before);
    ReadRoute(ScriptedRoute, CLOCK_REALTIME_COARSE, &coarse);
    ReadRoute(ScriptedRoute, CLOCK_MONOTONIC, &mono);
    ReadRoute(ScriptedRoute, CLOCK_MONOTONIC_COARSE, &after);
  } while (before.sec != after.sec || before.nsec != after.nsec);
  const auto ns = [](const KernelTimespec& t) {
    return t.sec * 1'000'000'000 + t.nsec;
  };
  const int64_t wall = ns(mono) + ns(coarse) - ns(before);
  ts[0] = {wall / 1'000'000'000, wall % 1'000'000'000};
  ts[1] = mono;
  return 0;
}

struct Outcome {
  int readings = 0;
  int wrong = 0;
  size_t most_calls = 0;
};

class PairTest : public RoutesFixture {
 protected:
  // Run makes a reading for each sequence of length events.
  template <size_t kKinds>
  Outcome Run(Pairing pairing, const KernelEvent (&kinds)[kKinds], int length) {
    SetRoutes({{ScriptedRoute}}, pairing);
    Outcome outcome;
    std::vector<KernelEvent> events(static_cast<size_t>(length));
    std::vector<size_t> digits(events.size());
    script = &events;
    for (bool more = true; more;) {
      for (size_t i = 0; i < events.size(); ++i) events[i] = kinds[digits[i]];
      ReadOnce(&outcome);
      more = false;
      for (size_t i = 0; i < digits.size() && !more; ++i) {
        more = ++digits[i] < kKinds;
        if (!more) digits[i] = 0;
      }
    }
    return outcome;
  }

  void ReadOnce(Outcome* outcome) {
    FakeKernel fake;
    kernel = &fake;
    // The thread holds what it can, as of the state before.
    calls = script->size();
    runtime_now();
    calls = 0;
    const size_t first = fake.State();
    const int64_t begin = fake.Mono();
    const runtime_Now now = runtime_now();
    ++outcome->readings;
    outcome->most_calls = std::max(outcome->most_calls, calls);
    if (now.mono < begin || now.mono > fake.Mono() || now.nsec < 0 ||
        now.nsec > 999'999'999 ||
        !fake.Existed(now.sec * 1'000'000'000 + now.nsec, now.mono, first)) {
      ++outcome->wrong;
    }
  }
};

TEST_F(PairTest, BracketedPairsExisted) {
  const Outcome outcome = Run(ReadBracketed, kAll, 6);
  EXPECT_EQ(outcome.readings, 262'144);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_GT(outcome.most_calls, 8u) << "no bracket was tried again";
}

TEST_F(PairTest, HeldPairsExisted) {
  const Outcome outcome = Run(ReadHeld, kOrdinary, 6);
  EXPECT_EQ(outcome.readings, 117'649);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_GT(outcome.most_calls, 8u) << "no bracket was tried again";
}

// Two calls where the thread holds the difference, four where it does not.
TEST_F(PairTest, CallsAreFew) {
  EXPECT_EQ(Run(ReadHeld, kOrdinary, 0).most_calls, 2u);
  EXPECT_EQ(Run(ReadBracketed, kOrdinary, 0).most_calls, 4u);
  EXPECT_EQ(Run(nullptr, kOrdinary, 0).most_calls, 2u);
}

// The checks find what is wrong.

TEST_F(PairTest, TwoReadingsAreFoundOut) {
  EXPECT_GT(Run(TwoReadings, kOrdinary, 3).wrong, 0);
  EXPECT_GT(Run(nullptr, kOrdinary, 3).wrong, 0);
}

TEST_F(PairTest, TheWrongOrderIsFoundOut) {
  EXPECT_GT(Run(WrongOrder, kAll, 5).wrong, 0);
  EXPECT_EQ(Run(WrongOrder, kOrdinary, 5).wrong, 0);
}

// Why nothing is held where the counter is slow.
TEST_F(PairTest, HoldingOnWithASlowCounterIsFoundOut) {
  EXPECT_GT(Run(ReadHeld, kAll, 3).wrong, 0);
}

// A nested reading neither trusts nor changes what the thread holds.
TEST_F(PairTest, NestedReadingsHoldNothing) {
  SetRoutes({{ScriptedRoute}}, ReadHeld);
  FakeKernel fake;
  kernel = &fake;
  const std::vector<KernelEvent> none;
  script = &none;
  calls = 0;
  runtime_now();
  runtime_M* const m = runtime_currentM();
  const runtime_Held held = m->held;
  EXPECT_NE(held.generation, 0u);
  const uintptr_t frame[2] = {};
  m->vdsoFP = reinterpret_cast<uintptr_t>(frame);
  calls = 0;
  runtime_now();
  EXPECT_EQ(calls, 4u);
  fake.Happen(KernelEvent::kStepOn);
  runtime_now();
  EXPECT_EQ(m->held.coarseSec, held.coarseSec);
  EXPECT_EQ(m->held.coarseNsec, held.coarseNsec);
  EXPECT_EQ(m->held.sec, held.sec);
  m->vdsoFP = 0;
}

TEST_F(PairTest, NewRoutesMakeThreadsLetGo) {
  SetRoutes({{ScriptedRoute}}, ReadHeld);
  FakeKernel fake;
  kernel = &fake;
  const std::vector<KernelEvent> none;
  script = &none;
  runtime_now();
  SetRoutes({{ScriptedRoute}}, ReadHeld);
  calls = 0;
  runtime_now();
  EXPECT_EQ(calls, 4u);
}

TEST_F(PairTest, ForM) {
  SetRoutes({{ScriptedRoute}}, ReadHeld);
  FakeKernel fake;
  kernel = &fake;
  const std::vector<KernelEvent> none;
  script = &none;
  runtime_M m;
  alignas(16) static char stack[RUNTIME_VDSO_STACK_MIN];
  m.held.generation = 2;  // garbage
  ASSERT_EQ(runtime_initM(&m, stack, sizeof stack), 0);
  EXPECT_EQ(m.held.generation, 0u);
  runtime_nowM(&m);
  calls = 0;
  runtime_nowM(&m);
  EXPECT_EQ(calls, 2u);
  calls = 0;
  runtime_nowM(nullptr);
  EXPECT_EQ(calls, 4u);
}

// Routes with a clock of their own. Time goes by in them only.

int64_t fake_ns;
struct FakeClock {
  int64_t fine_cost;
  int64_t coarse_cost;
  int64_t period;        // of the counter
  int64_t tick;          // a multiple of the period
  int64_t coarse_error;  // of the wall clock
  int coarse_rc;
};
FakeClock fake_clock;

int ClockRoute(int32_t clockid, KernelTimespec* ts) {
  const bool coarse =
      clockid == CLOCK_MONOTONIC_COARSE || clockid == CLOCK_REALTIME_COARSE;
  ++calls;
  fake_ns += coarse ? fake_clock.coarse_cost : fake_clock.fine_cost;
  const int64_t unit = coarse ? fake_clock.tick : fake_clock.period;
  const int64_t ns = fake_ns - fake_ns % unit;
  *ts = {ns / 1'000'000'000, ns % 1'000'000'000};
  if (clockid == CLOCK_REALTIME) ts->sec += 1000;
  if (clockid == CLOCK_REALTIME_COARSE) {
    ts->sec += 1000 + fake_clock.coarse_error;
  }
  return coarse ? fake_clock.coarse_rc : 0;
}

constexpr int64_t kTick = 4'000'000;

Pairing Choose(const FakeClock& clock) {
  fake_ns = 1'000'000'000;
  fake_clock = clock;
  return ChoosePairing(ClockRoute);
}

TEST(ChoosePairingTest, ByWhatTheClocksCanDo) {
  EXPECT_EQ(Choose({20, 3, 1, kTick, 0, 0}), ReadHeld);
  // A counter of 10 MHz (Hyper-V), of 24 MHz (arm).
  EXPECT_EQ(Choose({20, 3, 100, kTick, 0, 0}), ReadHeld);
  EXPECT_EQ(Choose({40, 8, 41, 4'100'000, 0, 0}), ReadHeld);
  // A system call for each but the coarse clocks.
  EXPECT_EQ(Choose({300, 3, 1, kTick, 0, 0}), ReadHeld);
  // 32 kHz; no counter at all.
  EXPECT_EQ(Choose({300, 3, 30'517, int64_t{131} * 30'517, 0, 0}),
            ReadBracketed);
  EXPECT_EQ(Choose({300, 3, kTick, kTick, 0, 0}), ReadBracketed);
}

TEST(ChoosePairingTest, OrNotAtAll) {
  EXPECT_EQ(Choose({20, 20, 1, kTick, 0, 0}), nullptr);   // as dear
  EXPECT_EQ(Choose({20, 300, 1, kTick, 0, 0}), nullptr);  // a system call
  EXPECT_EQ(Choose({20, 3, 1, 1, 0, 0}), nullptr);        // never hold still
  EXPECT_EQ(Choose({20, 3, 1, kTick, 1, 0}), nullptr);    // another wall clock
  EXPECT_EQ(Choose({20, 3, 1, kTick, -1, 0}), nullptr);
  EXPECT_EQ(Choose({20, 3, 1, kTick, 0, -EINVAL}), nullptr);  // missing
  EXPECT_EQ(ChoosePairing([](int32_t, KernelTimespec*) { return -ENOSYS; }),
            nullptr);
  EXPECT_EQ(ChoosePairing([](int32_t, KernelTimespec*) { return 0; }), nullptr);
}

// A clock that never holds still costs a bounded number of calls, then two
// readings.
TEST_F(PairTest, RetriesAreBounded) {
  fake_ns = 1'000'000'000;
  fake_clock = {20, 3, 1, 1, 0, 0};
  for (const Pairing pairing : {ReadBracketed, ReadHeld}) {
    SetRoutes({{ClockRoute}}, pairing);
    calls = 0;
    const int64_t begin = fake_ns;
    const runtime_Now now = runtime_now();
    EXPECT_EQ(calls, size_t{1 + 3 * kPairTries + 2});
    EXPECT_LE(begin, now.mono);
    EXPECT_EQ(now.mono, fake_ns);
    EXPECT_EQ(now.sec, 1001);
  }
}

// A coarse clock that runs ahead of the other is no bracket.
TEST_F(PairTest, ACoarseClockAheadIsNotBelieved) {
  SetRoutes({{[](int32_t clockid, KernelTimespec* ts) {
              *ts = {clockid == CLOCK_MONOTONIC ? 1 : 2, 0};
              return 0;
            }}},
            ReadBracketed);
  EXPECT_EQ(runtime_now().mono, 1'000'000'000);
  EXPECT_EQ(runtime_now().sec, 2);
}

TEST(PairInfoTest, SaysHowPairsAreRead) {
  runtime_TimeInfo info;
  SetRoutes({{ClockRoute}}, ReadHeld);
  ASSERT_EQ(runtime_timeInfo(&info), 0);
  EXPECT_EQ(info.pairing, RUNTIME_PAIR_HELD);
  SetRoutes({{ClockRoute}}, ReadBracketed);
  ASSERT_EQ(runtime_timeInfo(&info), 0);
  EXPECT_EQ(info.pairing, RUNTIME_PAIR_BRACKETED);
  runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
  ASSERT_EQ(runtime_timeInfo(&info), 0);
  EXPECT_EQ(info.pairing, RUNTIME_PAIR_TWICE);
  runtime_forceRoute(RUNTIME_ROUTE_AUTO);
}

}  // namespace
}  // namespace runtime
