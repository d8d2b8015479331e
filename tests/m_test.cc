// The per-thread record: attach and detach, what is refused, and what a signal
// handler sees of a reading.

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

#include <thread>  // NOLINT(build/c++11)

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// Room for the kernel's signal frame, which lands here when a handler without a
// stack of its own interrupts a reading.
constexpr size_t kVdsoStackSize = 64 << 10;
alignas(16) char vdso_stack[kVdsoStackSize];
runtime_M& m = *runtime_currentM();

class MTest : public RoutesFixture {
 protected:
  static void Attach() {
    ASSERT_EQ(runtime_attach(vdso_stack, sizeof vdso_stack), 0);
  }
};

TEST_F(MTest, RefusesUnusableStacks) {
  m = {};
  EXPECT_EQ(runtime_initM(&m, nullptr, sizeof vdso_stack), -EINVAL);
  EXPECT_EQ(runtime_initM(&m, vdso_stack, RUNTIME_VDSO_STACK_MIN - 16),
            -EINVAL);
  EXPECT_EQ(runtime_initM(&m, vdso_stack + 8, RUNTIME_VDSO_STACK_MIN), -EINVAL);
  EXPECT_EQ(runtime_initM(&m, vdso_stack, RUNTIME_VDSO_STACK_MIN + 8), -EINVAL);
  EXPECT_EQ(runtime_initM(&m, vdso_stack, SIZE_MAX - 15), -EINVAL);
  EXPECT_EQ(runtime_attach(vdso_stack, 0), -EINVAL);
  EXPECT_EQ(m.vdsoStackHi, 0u) << "unchanged";
}

TEST_F(MTest, AttachIsThisThreadsAlone) {
  Attach();
  EXPECT_NE(m.vdsoStackHi, 0u);
  std::thread([] {
    EXPECT_NE(runtime_currentM(), &m);
    EXPECT_EQ(runtime_currentM()->vdsoStackHi, 0u);
  }).join();
  runtime_detach();
  EXPECT_EQ(m.vdsoStackHi, 0u);
}

TEST_F(MTest, NoReadingNoFrame) {
  ASSERT_EQ(runtime_initM(&m, vdso_stack, sizeof vdso_stack), 0);
  uintptr_t pc = 1;
  uintptr_t sp = 2;
  EXPECT_EQ(runtime_vdsoFrame(&m, &pc, &sp), 0);
  EXPECT_EQ(pc, 1u);
  EXPECT_EQ(sp, 2u);
}

// Seen is what a route sees from inside a reading.
struct Seen {
  int frame;
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t here;
};
Seen seen[2];
int depth;
uintptr_t frame_after_handler;
int64_t read_by_handler;

int nested_signal = SIGUSR1;

// NestingRoute notes what it sees. The first time it raises a signal as well,
// whose handler reads the clock again.
int NestingRoute(int32_t, KernelTimespec* ts) {
  char local = 0;
  if (depth < 2) {
    Seen& s = seen[depth++];
    s.frame = runtime_vdsoFrame(&m, &s.pc, &s.sp);
    s.here = reinterpret_cast<uintptr_t>(&local);
    if (depth == 1) {
      raise(nested_signal);
      frame_after_handler = m.vdsoFP;
    }
  }
  *ts = {5, 0};
  return 0;
}

bool OnVdsoStack(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(vdso_stack) < sizeof vdso_stack;
}

void ReadInHandler(int) { read_by_handler = runtime_nanotime(); }

// OnSignal installs a handler that runs on a stack of its own.
class OnSignal {
 public:
  explicit OnSignal(void (*handler)(int)) {
    const stack_t alternate = {stack_, 0, sizeof stack_};
    EXPECT_EQ(sigaltstack(&alternate, &old_stack_), 0);
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    EXPECT_EQ(sigaction(SIGUSR1, &action, &old_action_), 0);
  }
  ~OnSignal() {
    sigaction(SIGUSR1, &old_action_, nullptr);
    sigaltstack(&old_stack_, nullptr);
  }
  OnSignal(const OnSignal&) = delete;
  OnSignal& operator=(const OnSignal&) = delete;

  bool Holds(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(stack_) < sizeof stack_;
  }

 private:
  char stack_[256 << 10];
  stack_t old_stack_;
  struct sigaction old_action_;
};

TEST_F(MTest, AHandlerThatReadsStaysOnItsStack) {
  Attach();
  SetRoutes({{NestingRoute}});
  OnSignal on_signal(ReadInHandler);
  depth = 0;
  EXPECT_EQ(runtime_nanotime(), 5000000000);
  EXPECT_EQ(read_by_handler, 5000000000);
  ASSERT_EQ(depth, 2);

  EXPECT_TRUE(OnVdsoStack(seen[0].here));
  EXPECT_TRUE(on_signal.Holds(seen[1].here)) << "the vDSO stack was taken";

  // Each reading was published with a frame of its own, and the first one's
  // came back after the second.
  EXPECT_EQ(seen[0].frame, 1);
  EXPECT_EQ(seen[1].frame, 1);
  const uintptr_t here = reinterpret_cast<uintptr_t>(&on_signal);
  EXPECT_LT(seen[0].sp - here + (1 << 20), 2u << 20) << "on this stack";
  EXPECT_TRUE(on_signal.Holds(seen[1].sp));
  EXPECT_NE(seen[0].pc, seen[1].pc);
  EXPECT_EQ(frame_after_handler, seen[0].sp - 2 * sizeof(uintptr_t));
  EXPECT_EQ(m.vdsoFP, 0u);
}

// What NestingRoute sees of a reading in a handler on an alternate stack that
// has not interrupted one. Were the reading elsewhere, the kernel would take
// the stack for free, and put the frame of a second signal over the handler.
void ReadAndNestInHandler(int) {
  volatile char canary[512];
  for (volatile char& byte : canary) byte = 'c';
  read_by_handler = runtime_nanotime();
  for (const volatile char& byte : canary) EXPECT_EQ(byte, 'c');
}

TEST_F(MTest, AReadingOnTheAlternateStackStaysThere) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  OnSignal on_signal(ReadAndNestInHandler);
  Attach();
  struct sigaction nested = {};
  struct sigaction old_action;
  nested.sa_handler = ReadInHandler;
  nested.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &nested, &old_action);
  nested_signal = SIGUSR2;
  SetRoutes({{NestingRoute}});
  depth = 0;
  raise(SIGUSR1);
  EXPECT_EQ(read_by_handler, 5000000000);
  ASSERT_EQ(depth, 2);
  EXPECT_TRUE(on_signal.Holds(seen[0].here));
  EXPECT_TRUE(on_signal.Holds(seen[1].here));
  EXPECT_LT(seen[1].here, seen[0].here) << "below the interrupted handler";
  nested_signal = SIGUSR1;
  sigaction(SIGUSR2, &old_action, nullptr);

  // The thread's own readings switch; also those of a thread that learns of its
  // signal stack later.
  runtime_nanotime();
  depth = 1;
  runtime_nanotime();
  EXPECT_TRUE(OnVdsoStack(seen[1].here));
}

TEST_F(MTest, ASignalStackThatChangesIsNoted) {
  Attach();
  OnSignal on_signal(ReadInHandler);
  EXPECT_FALSE(on_signal.Holds(m.signalStackLo));
  EXPECT_EQ(runtime_noteSignalStack(&m), 0);
  EXPECT_TRUE(on_signal.Holds(m.signalStackLo));
  EXPECT_NE(m.vdsoStackHi, 0u);
  depth = 1;
  SetRoutes({{NestingRoute}});
  raise(SIGUSR1);
  EXPECT_TRUE(on_signal.Holds(seen[1].here));
}

sigjmp_buf away;

void JumpInHandler(int) { siglongjmp(away, 1); }

TEST_F(MTest, ResetAfterAHandlerThatJumpsAway) {
  Attach();
  SetRoutes({{NestingRoute}});
  OnSignal on_signal(JumpInHandler);
  depth = 0;
  if (sigsetjmp(away, 1) == 0) {
    runtime_nanotime();
    FAIL() << "the handler did not jump";
  }
  EXPECT_NE(m.vdsoFP, 0u);
  runtime_resetM(&m, 0);
  EXPECT_EQ(m.vdsoFP, 0u);
  depth = 1;
  EXPECT_EQ(runtime_nanotime(), 5000000000);
  EXPECT_TRUE(OnVdsoStack(seen[1].here)) << "switches again";
}

TEST_F(MTest, EntryPointsWithAnArgumentTakeThatM) {
  ASSERT_EQ(runtime_initM(&m, vdso_stack, sizeof vdso_stack), 0);
  SetRoutes({{NestingRoute}});
  depth = 1;
  EXPECT_EQ(runtime_nanotimeM(&m), 5000000000);
  EXPECT_TRUE(OnVdsoStack(seen[1].here));
  depth = 1;
  EXPECT_EQ(runtime_walltimeM(&m).sec, 5);
  EXPECT_TRUE(OnVdsoStack(seen[1].here));
  depth = 1;
  EXPECT_EQ(runtime_nowM(&m).mono, 5000000000);
  EXPECT_TRUE(OnVdsoStack(seen[1].here));
  depth = 1;
  EXPECT_EQ(runtime_nanotimeM(nullptr), 5000000000);
  EXPECT_FALSE(OnVdsoStack(seen[1].here));
}

}  // namespace
}  // namespace runtime
