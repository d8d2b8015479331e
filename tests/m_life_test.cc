// The life of a thread's M and its vDSO stack: threads that come and go, forks,
// stacks that are handed over, mapped, refused, too expensive.

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>  // NOLINT(build/c++11)
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/m.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"
#include "tests/small_stack.h"

namespace runtime {
namespace {

uintptr_t route_ran_at;

int NotingRoute(int32_t, KernelTimespec* ts) {
  char local = 0;
  route_ran_at = reinterpret_cast<uintptr_t>(&local);
  *ts = {1, local};
  return 0;
}

// ReadsOn tells whether this thread's readings run on the stack.
bool ReadsOn(const SmallStack& stack) {
  return runtime_nanotime() == 1'000'000'000 && stack.Holds(route_ran_at);
}

class MLifeTest : public RoutesFixture {
 protected:
  MLifeTest() { SetRoutes({{NotingRoute}}); }
};

TEST_F(MLifeTest, AttachDetachReattach) {
  SmallStack first(RUNTIME_VDSO_STACK_MIN);
  SmallStack second(RUNTIME_VDSO_STACK_MIN);
  EXPECT_FALSE(ReadsOn(first));
  ASSERT_EQ(runtime_attach(first.stack(), first.size()), 0);
  EXPECT_TRUE(ReadsOn(first));
  ASSERT_EQ(runtime_attach(second.stack(), second.size()), 0);
  EXPECT_TRUE(ReadsOn(second)) << "without detaching";
  runtime_detach();
  EXPECT_FALSE(ReadsOn(second));
  ASSERT_EQ(runtime_attach(first.stack(), first.size()), 0);
  EXPECT_TRUE(ReadsOn(first));
  runtime_detach();
  runtime_detach();
}

TEST_F(MLifeTest, ARefusedStackChangesNothing) {
  SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  ASSERT_EQ(runtime_attach(stack.stack(), stack.size()), 0);
  EXPECT_EQ(runtime_attach(stack.stack(), stack.size() - 16), -EINVAL);
  EXPECT_EQ(runtime_attach(stack.stack() + 1, stack.size()), -EINVAL);
  EXPECT_EQ(runtime_attach(nullptr, stack.size()), -EINVAL);
  EXPECT_EQ(runtime_attachAlloc(RUNTIME_VDSO_STACK_MIN - 1), -EINVAL);
  EXPECT_TRUE(ReadsOn(stack));
}

TEST_F(MLifeTest, AStackGoesFromThreadToThread) {
  SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  for (int i = 0; i < 3; ++i) {
    std::thread([&stack] {
      ASSERT_EQ(runtime_attach(stack.stack(), stack.size()), 0);
      EXPECT_TRUE(ReadsOn(stack));
      runtime_detach();
      EXPECT_FALSE(ReadsOn(stack));
    }).join();
  }
}

TEST_F(MLifeTest, AThreadMayEndAttached) {
  SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  for (int i = 0; i < 3; ++i) {
    std::thread([&stack] {
      EXPECT_EQ(runtime_currentM()->vdsoStackHi, 0u) << "a new thread's M";
      EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
      ASSERT_EQ(runtime_attach(stack.stack(), stack.size()), 0);
      EXPECT_TRUE(ReadsOn(stack));
    }).join();
  }
}

// Forks.

int Wait(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(MLifeTest, AForkedChildGoesOn) {
  SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  SmallStack other(RUNTIME_VDSO_STACK_MIN);
  ASSERT_EQ(runtime_attach(stack.stack(), stack.size()), 0);
  const pid_t child = fork();
  if (child == 0) {
    bool ok = ReadsOn(stack);
    ok = ok && runtime_attach(other.stack(), other.size()) == 0;
    ok = ok && ReadsOn(other);
    runtime_detach();
    ok = ok && !ReadsOn(other);
    _exit(ok ? 0 : 1);
  }
  EXPECT_EQ(Wait(child), 0);
  EXPECT_TRUE(ReadsOn(stack));
}

pid_t forked;

int RaisingRoute(int32_t, KernelTimespec* ts) {
  raise(SIGUSR1);
  *ts = {2, 0};
  return 0;
}

// The child returns from the handler into its copy of the reading.
TEST_F(MLifeTest, AForkInsideAReading) {
  // Not above an alternate stack: the handler runs on the vDSO stack.
  SmallStack stack(256 << 10);
  ASSERT_EQ(runtime_attach(stack.stack(), stack.size()), 0);
  struct sigaction action = {};
  struct sigaction old_action;
  action.sa_handler = [](int) { forked = fork(); };
  sigaction(SIGUSR1, &action, &old_action);
  SetRoutes({{RaisingRoute}});
  const int64_t read = runtime_nanotime();
  if (forked == 0) {
    SetRoutes({{NotingRoute}});
    const bool ok = read == 2'000'000'000 && runtime_currentM()->vdsoFP == 0 &&
                    ReadsOn(stack);
    _exit(ok ? 0 : 1);
  }
  EXPECT_EQ(Wait(forked), 0);
  EXPECT_EQ(read, 2'000'000'000);
  EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
  sigaction(SIGUSR1, &old_action, nullptr);
}

// Stacks of ours.

size_t PageSize() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

class AllocTest : public MLifeTest,
                  public testing::WithParamInterface<size_t> {};

TEST_P(AllocTest, HoldsReadings) {
  ASSERT_EQ(runtime_attachAlloc(GetParam()), 0);
  const runtime_M& m = *runtime_currentM();
  const size_t wanted =
      GetParam() == 0 ? size_t{RUNTIME_VDSO_STACK_DEFAULT} : GetParam();
  EXPECT_GE(m.vdsoStackHi - m.vdsoStackLo + kVdsoStackUnused, wanted);
  EXPECT_EQ(runtime_nanotime(), 1'000'000'000);
  EXPECT_LT(route_ran_at, m.vdsoStackHi);
  EXPECT_GE(route_ran_at, m.vdsoStackLo);
  runtime_detachFree();
  EXPECT_EQ(m.vdsoStackHi, 0u);
  EXPECT_EQ(m.vdsoStackLo, 0u);
  runtime_detachFree();
}

INSTANTIATE_TEST_SUITE_P(Sizes, AllocTest,
                         testing::Values(size_t{0},
                                         size_t{RUNTIME_VDSO_STACK_MIN},
                                         size_t{RUNTIME_VDSO_STACK_MIN} + 1,
                                         size_t{100'000}, size_t{1} << 20),
                         testing::PrintToStringParamName());

TEST_F(MLifeTest, AStackThatIsTooLargeIsRefused) {
  EXPECT_EQ(runtime_attachAlloc(SIZE_MAX), -EINVAL);
#ifdef __LP64__  // or half of memory may be free
  EXPECT_EQ(runtime_attachAlloc(SIZE_MAX / 2), -ENOMEM);
#endif
  EXPECT_EQ(runtime_currentM()->vdsoStackHi, 0u);
}

TEST_F(MLifeTest, NoMemoryIsAnError) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory is over any limit";
#endif
  const auto run = [] {
    const rlimit little = {1 << 20, 1 << 20};
    if (setrlimit(RLIMIT_AS, &little) != 0) _exit(2);
    if (mmap(nullptr, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
             0) != MAP_FAILED) {
      _exit(3);
    }
    _exit(runtime_attachAlloc(64 << 20) == -ENOMEM &&
                  runtime_nanotime() == 1'000'000'000
              ? 0
              : 1);
  };
  EXPECT_EXIT(
      run(),
      [](int status) {
        // An emulator does not mind the limit.
        return WIFEXITED(status) &&
               (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
      },
      "");
}

TEST_F(MLifeTest, BelowAStackOfOursLiesAGuardPage) {
  ASSERT_EQ(runtime_attachAlloc(0), 0);
  volatile char* const lowest =
      reinterpret_cast<volatile char*>(runtime_currentM()->vdsoStackLo);
  lowest[0] = 1;
  EXPECT_DEATH(lowest[-1] = 1, "");
  runtime_detachFree();
}

// Mappings returns how many mappings this process has, or 0.
int Mappings() {
  std::ifstream maps("/proc/self/maps");
  int lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

TEST_F(MLifeTest, NothingIsLeftBehind) {
  if (Mappings() == 0) GTEST_SKIP() << "no /proc/self/maps here";
  ASSERT_EQ(runtime_attachAlloc(0), 0);
  runtime_detachFree();
  const int before = Mappings();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(runtime_attachAlloc(0), 0);
    runtime_nanotime();
    runtime_detachFree();
  }
  EXPECT_LE(Mappings(), before + 2);
}

// time.h and docs/embedding.md say this.
TEST_F(MLifeTest, AnAttachedThreadCostsOnePage) {
#if defined(__LP64__)
  EXPECT_EQ(sizeof(runtime_M), 88u);
#elif defined(__arm__)
  EXPECT_EQ(sizeof(runtime_M), 64u);
#else
  EXPECT_EQ(sizeof(runtime_M), 60u);
#endif
  ASSERT_EQ(runtime_attachAlloc(0), 0);
  const runtime_M& m = *runtime_currentM();
  InitForced(getauxval(AT_SYSINFO_EHDR), RUNTIME_ROUTE_AUTO);
  for (int i = 0; i < 10'000; ++i) runtime_now();
  const size_t size =
      (m.vdsoStackHi - m.vdsoStackLo + PageSize() - 1) & ~(PageSize() - 1);
  std::vector<unsigned char> resident(size / PageSize());
  if (mincore(reinterpret_cast<void*>(m.vdsoStackLo), size, resident.data()) !=
      0) {
    GTEST_SKIP() << "no mincore here";
  }
  int pages = 0;
  for (const unsigned char page : resident) pages += page & 1;
  EXPECT_EQ(pages, 1);
  runtime_detachFree();
}

// Threads.

TEST_F(MLifeTest, ThousandsOfThreads) {
#if defined(__x86_64__) || defined(__i386__)
  constexpr int kRounds = 250;
#else
  constexpr int kRounds = 25;  // emulated, most likely
#endif
  constexpr int kAtOnce = 8;
  InitForced(getauxval(AT_SYSINFO_EHDR), RUNTIME_ROUTE_AUTO);
  for (int i = 0; i < kRounds; ++i) {
    std::vector<std::thread> threads;
    for (int j = 0; j < kAtOnce; ++j) {
      threads.emplace_back([j] {
        const int64_t before = runtime_nanotime();
        ASSERT_EQ(runtime_attachAlloc(j % 2 == 0 ? 0 : 8192), 0);
        EXPECT_GE(runtime_nanotime(), before);
        runtime_detachFree();
        EXPECT_GE(runtime_now().mono, before);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Attaching asks for the signal stack, and that is all.
TEST_F(MLifeTest, NoOtherSystemCall) {
  if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer makes system calls of its own";
#endif
  static SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  const auto run = [](bool allow_sigaltstack) {
    std::vector<SyscallRule> rules = {{SYS_exit_group, SECCOMP_RET_ALLOW}};
    if (allow_sigaltstack) {
      rules.push_back({SYS_sigaltstack, SECCOMP_RET_ALLOW});
    } else {
      if (runtime_attach(stack.stack(), stack.size()) != 0) _exit(2);
    }
    if (!InstallFilter(rules, SECCOMP_RET_KILL_PROCESS)) _exit(3);
    if (allow_sigaltstack && runtime_attach(stack.stack(), stack.size()) != 0) {
      _exit(4);
    }
    const bool ok = ReadsOn(stack);
    runtime_detach();
    _exit(ok ? 0 : 1);
  };
  EXPECT_EXIT(run(true), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(run(false), testing::ExitedWithCode(0), "") << "detaching";
}

// A thread that does not know its signal stack must not leave it.
TEST_F(MLifeTest, WithoutSigaltstackNothingIsAttached) {
  if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "ASan needs sigaltstack";
#endif
  static SmallStack stack(RUNTIME_VDSO_STACK_MIN);
  const auto run = [] {
    if (!InstallFilter({{SYS_sigaltstack, SECCOMP_RET_ERRNO | EPERM}})) {
      _exit(3);
    }
    const bool refused =
        runtime_attach(stack.stack(), stack.size()) == -EPERM &&
        runtime_attachAlloc(0) == -EPERM && !ReadsOn(stack);
    _exit(refused ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace runtime
