// Whatever a vDSO function may do, on whatever stack: the reading is right, its
// caller's registers are what they were, and nothing around the stacks has been
// written.

#include "tests/adversarial.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/m.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/abi_reading.h"
#include "tests/adversarial_machine.h"
#include "tests/adversarial_routes.h"
#include "tests/machine_context.h"
#include "tests/routes_fixture.h"
#include "tests/small_stack.h"

namespace runtime {
namespace {

constexpr size_t kPage = 4096;

enum class Situation {
  kNoStack,
  kSmallStack,
  kAlternateStack,  // a handler on one that has interrupted a reading
  kCurrentStack,    // likewise, on the vDSO stack
  kIdleHandler,     // a handler on an alternate stack that has not
};
const char* const kSituationNames[] = {"NoStack", "SmallStack",
                                       "HandlerOnAlternateStack",
                                       "HandlerOnCurrentStack", "IdleHandler"};

// VdsoStackSize: eight signal frames, when handlers run on it.
size_t VdsoStackSize(Situation situation) {
  if (situation != Situation::kCurrentStack) return 6 * kPage;
  return (8 * (SignalFrameSize() + 8192) + 10 * kPage) & ~size_t{15};
}

AbiReading* reading;  // to make
bool jumped;
bool control_words_kept;

// Read makes the reading, with control words that are not the usual ones, on
// less than 2 KiB of stack.
void Read() {
  const ControlWords usual = GetControlWords();
  const ControlWords other = RoundedOtherwise(usual);
  const uintptr_t mark = runtime_markM(runtime_currentM());
  if (sigsetjmp(adversarial_jump, 1) == 0) {
    SetControlWords(other);
    reading->Read();
    control_words_kept = GetControlWords() == other;
  } else {
    jumped = true;
    runtime_resetM(runtime_currentM(), mark);
  }
  SetControlWords(usual);
}

const AdversarialRoute* route;

void UseRoute() { SetRoutes({{route->route, kTraps.routes[0], kLastTrap}}); }

// InterruptedRoute is the reading that the one under test interrupts.
int InterruptedRoute(int32_t, KernelTimespec* ts) {
  raise(SIGUSR2);
  *ts = {11, 12};
  return 0;
}
constexpr int64_t kInterrupted = 11'000'000'012;
int64_t interrupted;

void ReadInterrupted() { interrupted = runtime_nanotime(); }

class AdversarialTest
    : public RoutesFixture,
      public testing::WithParamInterface<std::tuple<size_t, Situation>> {
 protected:
  AdversarialTest() : vdso_stack_(VdsoStackSize(situation())) {
    route = &AdversarialRoutes()[std::get<0>(GetParam())];
    adversarial_features = AdversarialFeatures();
    adversarial_process = getpid();
    adversarial_thread = static_cast<int32_t>(syscall(SYS_gettid));
    abi_probe_time = {13, 14};
    const stack_t stack = {alternate_.stack(), 0, alternate_.size()};
    sigaltstack(&stack, &old_stack_);
    struct sigaction action = {};
    if (situation() != Situation::kCurrentStack) action.sa_flags = SA_ONSTACK;
    action.sa_flags |= SA_NODEFER;  // the signal comes again in its handler
    action.sa_handler = [](int) { route->on_signal(); };
    sigaction(ADVERSARIAL_SIGNAL, &action, &old_actions_[0]);
    action.sa_handler = [](int) {
      UseRoute();
      Read();
    };
    sigaction(SIGUSR2, &action, &old_actions_[1]);
    if (situation() != Situation::kNoStack) {
      EXPECT_EQ(runtime_attach(vdso_stack_.stack(), vdso_stack_.size()), 0);
    }
  }
  ~AdversarialTest() override {
    sigaction(ADVERSARIAL_SIGNAL, &old_actions_[0], nullptr);
    sigaction(SIGUSR2, &old_actions_[1], nullptr);
    sigaltstack(&old_stack_, nullptr);
  }

  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  }

  static Situation situation() { return std::get<1>(GetParam()); }
  static bool attached() { return situation() != Situation::kNoStack; }

  // notes tells whether the route notes how it is called.
  static bool notes() {
    return route->route == abi_probe_route ||
           route->route == adversarial_vectors_route;
  }

  void Run();
  void CheckSignals(const AbiEntryPoint& entry);
  void CheckValue(const AbiEntryPoint& entry, const runtime_Now& before);
  void CheckEntryPoint(const AbiEntryPoint& entry);

  SmallStack vdso_stack_;
  SmallStack small_{2048};
  SmallStack roomy_{256 << 10};
  SmallStack alternate_{512 << 10};
  stack_t old_stack_;
  struct sigaction old_actions_[2];
};

void AdversarialTest::Run() {
  switch (situation()) {
    case Situation::kNoStack:
      UseRoute();
      roomy_.Run(Read);
      break;
    case Situation::kSmallStack:
      UseRoute();
      small_.Run(Read);
      break;
    case Situation::kAlternateStack:
    case Situation::kCurrentStack:
      SetRoutes({{InterruptedRoute}});
      interrupted = 0;
      small_.Run(ReadInterrupted);
      EXPECT_EQ(interrupted, kInterrupted);
      break;
    case Situation::kIdleHandler:
      raise(SIGUSR2);
      break;
  }
}

int64_t Wall(const runtime_Now& now) {
  return now.sec * 1'000'000'000 + now.nsec;
}

void AdversarialTest::CheckValue(const AbiEntryPoint& entry,
                                 const runtime_Now& before) {
  const runtime_Now value = reading->value();
  uint32_t failures = 0;
  RouteState(route->route, &failures);
  SetRoutes(kTraps);
  if (route->outcome == Outcome::kFallsThrough) {
    // EINVAL is not counted.
    EXPECT_EQ(failures == 0, strcmp(route->name, "Einval") == 0);
    const runtime_Now after = runtime_now();
    if (entry.has_mono()) {
      EXPECT_LE(before.mono, value.mono);
      EXPECT_LE(value.mono, after.mono);
    }
    if (entry.has_wall()) {
      EXPECT_LE(Wall(before), Wall(value));
      EXPECT_LE(Wall(value), Wall(after));
      EXPECT_LT(static_cast<uint32_t>(value.nsec), 1'000'000'000u);
    }
    return;
  }
  const bool probe_time = notes() || route->route == adversarial_signal_route;
  const KernelTimespec mono = probe_time ? abi_probe_time : LastWritten(1);
  const KernelTimespec wall = probe_time ? abi_probe_time : LastWritten(0);
  if (entry.has_mono()) {
    EXPECT_EQ(value.mono, mono.sec * 1'000'000'000 + mono.nsec);
  }
  if (entry.has_wall()) {
    EXPECT_EQ(value.sec, wall.sec);
    EXPECT_EQ(value.nsec, wall.nsec);
  }
}

// CheckSignals: every signal has been handled, and its handler has seen this
// reading, until it went on.
void AdversarialTest::CheckSignals(const AbiEntryPoint& entry) {
  EXPECT_EQ(signal_stats.deepest, route->depth);
  if (route->depth == 0) return;
  const bool raw = route->route == adversarial_signal_route;
  const int calls = entry.result == AbiResult::kNow ? 2 : 1;
  EXPECT_EQ(signal_stats.handled, raw ? calls : signal_stats.sent);
  EXPECT_EQ(signal_stats.wrong, 0);
  EXPECT_EQ(signal_stats.not_restored, 0);
  // An entry point that is given no M publishes nothing.
  if (!attached() && entry.takes_m) return;
  EXPECT_EQ(signal_stats.unpublished, 0);
  EXPECT_EQ(signal_stats.sp, reading->call()->sp_before);
  EXPECT_LT(signal_stats.pc - reinterpret_cast<uintptr_t>(abi_call), 512u);
}

void AdversarialTest::CheckEntryPoint(const AbiEntryPoint& entry) {
  SCOPED_TRACE(entry.name);
  signal_stats = {};
  jumped = false;
  control_words_kept = false;
  SetRoutes(kTraps);
  const runtime_Now before = runtime_now();
  AbiReading made(entry, attached() ? runtime_currentM() : nullptr);
  reading = &made;
  Run();
  EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
  EXPECT_EQ(jumped, route->outcome == Outcome::kJumps);
  if (!jumped) {
    EXPECT_EQ(made.faults(), "");
    EXPECT_TRUE(control_words_kept);
    CheckSignals(entry);
    CheckValue(entry, before);
  }
  if (notes()) {
    EXPECT_EQ(AbiRouteFaults(), "");
  }
  if (situation() == Situation::kSmallStack ||
      situation() == Situation::kCurrentStack) {
    EXPECT_GT(vdso_stack_.Used(), 0u);
  }
  EXPECT_TRUE(vdso_stack_.Untouched(kVdsoStackUnused));
  EXPECT_TRUE(alternate_.Untouched(0));
  EXPECT_TRUE(small_.Untouched(0));
  EXPECT_TRUE(roomy_.Untouched(0));
}

TEST_P(AdversarialTest, IsSurvived) {
  for (const AbiEntryPoint& entry : AbiEntryPoints()) CheckEntryPoint(entry);
}

// After a jump out of a reading the next one switches again.
TEST_P(AdversarialTest, AndTheNextReadingSwitches) {
  if (!attached()) GTEST_SKIP() << "there is nothing to switch to";
  for (const AbiEntryPoint& entry : AbiEntryPoints()) {
    AbiReading made(entry, runtime_currentM());
    reading = &made;
    Run();
    SetRoutes({{abi_probe_route}});
    runtime_nanotime();
    EXPECT_TRUE(vdso_stack_.Holds(abi_probe_sp)) << entry.name;
  }
}

std::vector<size_t> Indices() {
  std::vector<size_t> indices(AdversarialRoutes().size());
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  return indices;
}

INSTANTIATE_TEST_SUITE_P(
    Routes, AdversarialTest,
    testing::Combine(testing::ValuesIn(Indices()),
                     testing::Values(Situation::kNoStack,
                                     Situation::kSmallStack,
                                     Situation::kAlternateStack,
                                     Situation::kCurrentStack,
                                     Situation::kIdleHandler)),
    [](const auto& info) {
      return std::string(AdversarialRoutes()[std::get<0>(info.param)].name) +
             kSituationNames[static_cast<int>(std::get<1>(info.param))];
    });

}  // namespace
}  // namespace runtime
