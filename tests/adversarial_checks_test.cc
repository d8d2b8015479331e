// What adversarial_test relies on finds out what is wrong.

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/abi_reading.h"
#include "tests/adversarial.h"
#include "tests/adversarial_machine.h"
#include "tests/adversarial_routes.h"
#include "tests/routes_fixture.h"
#include "tests/small_stack.h"

namespace runtime {
namespace {

constexpr size_t kPage = 4096;

using AdversarialCheckTest = RoutesFixture;

TEST_F(AdversarialCheckTest, AProbeBelowTheStackDies) {
  SmallStack smallest(RUNTIME_VDSO_STACK_MIN);
  ASSERT_EQ(runtime_attach(smallest.stack(), smallest.size()), 0);
  SetRoutes({{ProbingRoute<1>}});
  EXPECT_EQ(runtime_nanotime(), 3'000'000'001);
  SetRoutes({{ProbingRoute<4>}});
  EXPECT_DEATH(runtime_nanotime(), "");
}

TEST_F(AdversarialCheckTest, PaintAroundAStackIsLookedAt) {
  for (const size_t size : {size_t{2048}, kPage}) {
    SmallStack stack(size);
    EXPECT_TRUE(stack.Untouched(0));
    stack.stack()[size] = 0;
    EXPECT_FALSE(stack.Untouched(0));
    EXPECT_EQ(stack.Used(), 0u);
    stack.stack()[size - 1] = 0;
    EXPECT_EQ(stack.Used(), 1u);
  }
  SmallStack stack(kPage);
  stack.stack()[-sysconf(_SC_PAGESIZE) - 1] = 0;
  EXPECT_FALSE(stack.Untouched(0)) << "below the guard page";
}

TEST_F(AdversarialCheckTest, ControlWordsAreLookedAt) {
  const ControlWords before = GetControlWords();
  const ControlWords other = RoundedOtherwise(before);
  SetControlWords(other);
  const ControlWords after = GetControlWords();
  SetControlWords(before);
  EXPECT_TRUE(after == other);
  EXPECT_FALSE(after == before);
  EXPECT_TRUE(GetControlWords() == before);
}

TEST_F(AdversarialCheckTest, AMisalignedCallIsReported) {
  KernelTimespec ts;
  adversarial_misaligned_call(&ts);
  EXPECT_EQ(AbiRouteFaults(), "alignment");
#if defined(__x86_64__) || defined(__i386__)
  adversarial_direction_call(&ts);
  EXPECT_EQ(AbiRouteFaults(), "direction flag");
#endif
}

TEST_F(AdversarialCheckTest, ARouteThatForgetsARegisterIsFoundOut) {
  SetRoutes({{adversarial_forgetful_route}});
  for (const AbiEntryPoint& entry : AbiEntryPoints()) {
    // Both clocks are read by C++, which does not survive such a route.
    if (entry.result == AbiResult::kNow) continue;
    AbiReading reading(entry, nullptr);
    reading.Read();
    EXPECT_EQ(reading.faults(), "callee-saved word 2") << entry.name;
  }
}

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
