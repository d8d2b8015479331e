// Whatever a vDSO function may do, on whatever stack: the reading is right, its
// caller's registers are what they were, and nothing around the stacks has been
// written.

#include "tests/adversarial.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/abi_reading.h"
#include "tests/adversarial_routes.h"
#include "tests/routes_fixture.h"
#include "tests/small_stack.h"

namespace runtime {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kUnused = 256;  // at the top of a vDSO stack; see m.cc

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
#ifdef AT_MINSIGSTKSZ
  const size_t frame = getauxval(AT_MINSIGSTKSZ);
#else
  const size_t frame = 0;
#endif
  return (8 * (frame + 8192) + 10 * kPage) & ~size_t{15};
}

AbiReading* reading;  // to make
bool jumped;

// Read needs less than 2 KiB of stack.
void Read() {
  const uintptr_t mark = runtime_markM(runtime_currentM());
  if (sigsetjmp(adversarial_jump, 1) == 0) {
    reading->Read();
  } else {
    jumped = true;
    runtime_resetM(runtime_currentM(), mark);
  }
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

// ControlWords are those of the floating-point units, which a callee preserves.
uint64_t ControlWords() {
#if defined(__x86_64__) || defined(__i386__)
  uint16_t x87;
  uint32_t mxcsr = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  if ((adversarial_features & ADVERSARIAL_SSE) != 0) {
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  }
  return (uint64_t{mxcsr} & ~uint64_t{0x3f}) << 16 | x87;  // but exceptions
#else
  return 0;
#endif
}

int32_t Features() {
  int32_t features = 0;
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse2")) features |= ADVERSARIAL_SSE;
  if (__builtin_cpu_supports("avx")) features |= ADVERSARIAL_AVX;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    features |= ADVERSARIAL_AVX512;
  }
#elif defined(__arm__)
  constexpr unsigned long kHwcapNeon = 1 << 12;  // <asm/hwcap.h>
  if ((getauxval(AT_HWCAP) & kHwcapNeon) != 0) features |= ADVERSARIAL_NEON;
#endif
  return features;
}

class AdversarialTest
    : public RoutesFixture,
      public testing::WithParamInterface<std::tuple<size_t, Situation>> {
 protected:
  AdversarialTest() : vdso_stack_(VdsoStackSize(situation())) {
    route = &AdversarialRoutes()[std::get<0>(GetParam())];
    adversarial_features = Features();
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

  void Run();
  void CheckValue(const AbiEntryPoint& entry, const runtime_Now& before);
  void CheckEntryPoint(const AbiEntryPoint& entry);

  SmallStack vdso_stack_;
  SmallStack small_{2048};
  SmallStack alternate_{512 << 10};
  stack_t old_stack_;
  struct sigaction old_actions_[2];
};

void AdversarialTest::Run() {
  switch (situation()) {
    case Situation::kNoStack:
      UseRoute();
      Read();
      break;
    case Situation::kSmallStack:
      UseRoute();
      small_.Run(Read);
      EXPECT_TRUE(small_.Untouched(0));
      break;
    case Situation::kAlternateStack:
    case Situation::kCurrentStack:
      SetRoutes({{InterruptedRoute}});
      EXPECT_EQ(runtime_nanotime(), kInterrupted);
      break;
    case Situation::kIdleHandler:
      raise(SIGUSR2);
      break;
  }
}

void AdversarialTest::CheckValue(const AbiEntryPoint& entry,
                                 const runtime_Now& before) {
  const runtime_Now value = reading->value();
  const bool has_mono = entry.result != AbiResult::kWalltime;
  const bool has_wall = entry.result != AbiResult::kInt64;
  SetRoutes(kTraps);
  if (route->outcome == Outcome::kFallsThrough) {
    const runtime_Now after = runtime_now();
    if (has_mono) {
      EXPECT_LE(before.mono, value.mono);
      EXPECT_LE(value.mono, after.mono);
    }
    if (has_wall) {
      EXPECT_LE(before.sec, value.sec);
      EXPECT_LE(value.sec, after.sec);
    }
    return;
  }
  const bool probe_time = route->route == abi_probe_route ||
                          route->route == adversarial_vectors_route ||
                          route->route == adversarial_signal_route;
  const KernelTimespec mono = probe_time ? abi_probe_time : LastWritten(1);
  const KernelTimespec wall = probe_time ? abi_probe_time : LastWritten(0);
  if (has_mono) {
    EXPECT_EQ(value.mono, mono.sec * 1'000'000'000 + mono.nsec);
  }
  if (has_wall) {
    EXPECT_EQ(value.sec, wall.sec);
    EXPECT_EQ(value.nsec, wall.nsec);
  }
}

void AdversarialTest::CheckEntryPoint(const AbiEntryPoint& entry) {
  SCOPED_TRACE(entry.name);
  signal_stats = {};
  jumped = false;
  SetRoutes(kTraps);
  const runtime_Now before = runtime_now();
  AbiReading made(entry, attached() ? runtime_currentM() : nullptr);
  reading = &made;
  const uint64_t control_words = ControlWords();
  Run();
  EXPECT_EQ(ControlWords(), control_words);
  EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
  EXPECT_EQ(jumped, route->outcome == Outcome::kJumps);
  if (!jumped) {
    EXPECT_EQ(made.faults(), "");
    CheckValue(entry, before);
  }
  EXPECT_EQ(signal_stats.wrong, 0);
  // An entry point that is given no M publishes nothing.
  if (attached() || !entry.takes_m) {
    EXPECT_EQ(signal_stats.without_frame, 0);
  }
  if (attached()) {
    EXPECT_GT(vdso_stack_.Used(), 0u);
  }
  EXPECT_TRUE(vdso_stack_.Untouched(kUnused));
  EXPECT_TRUE(alternate_.Untouched(0));
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

// The checks can fail.

using AdversarialCheckTest = RoutesFixture;

TEST_F(AdversarialCheckTest, AProbeBelowTheStackDies) {
  SmallStack smallest(RUNTIME_VDSO_STACK_MIN);
  ASSERT_EQ(runtime_attach(smallest.stack(), smallest.size()), 0);
  SetRoutes({{ProbingRoute<1>}});
  EXPECT_EQ(runtime_nanotime(), 3'000'000'001);
  SetRoutes({{ProbingRoute<4>}});
  EXPECT_DEATH(runtime_nanotime(), "");
}

TEST_F(AdversarialCheckTest, PaintAboveAStackIsLookedAt) {
  SmallStack stack(2048);
  EXPECT_TRUE(stack.Untouched(0));
  stack.stack()[stack.size()] = 0;
  EXPECT_FALSE(stack.Untouched(0));
  EXPECT_EQ(stack.Used(), 0u);
  stack.stack()[stack.size() - 1] = 0;
  EXPECT_EQ(stack.Used(), 1u);
}

#if defined(__x86_64__) || defined(__i386__)
TEST_F(AdversarialCheckTest, ControlWordsAreLookedAt) {
  const uint64_t before = ControlWords();
  uint16_t x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  const uint16_t other = x87 ^ 0xc00;  // the rounding mode
  __asm__ volatile("fldcw %0" : : "m"(other));
  EXPECT_NE(ControlWords(), before);
  __asm__ volatile("fldcw %0" : : "m"(x87));
  EXPECT_EQ(ControlWords(), before);
}
#endif

// ChangingHandler is what adversarial_signal_route must find out: a handler
// that does not leave the registers as they were.
void ChangingHandler(int, siginfo_t*, void* context) {
  mcontext_t& m = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  m.gregs[REG_R15] = 1;
#elif defined(__i386__)
  m.gregs[REG_EDI] = 1;
#elif defined(__aarch64__)
  m.regs[28] = 1;
#elif defined(__arm__)
  m.arm_r10 = 1;
#endif
}

TEST_F(AdversarialCheckTest, ChangedRegistersAreFoundOut) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  adversarial_process = getpid();
  adversarial_thread = static_cast<int32_t>(syscall(SYS_gettid));
  struct sigaction action = {};
  struct sigaction old_action;
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = ChangingHandler;
  sigaction(ADVERSARIAL_SIGNAL, &action, &old_action);
  KernelTimespec ts;
  EXPECT_EQ(adversarial_signal_route(0, &ts), -ADVERSARIAL_CHANGED);
  sigaction(ADVERSARIAL_SIGNAL, &old_action, nullptr);
}

}  // namespace
}  // namespace runtime
