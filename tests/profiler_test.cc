// A sample profiler finds the caller of every reading that it interrupts.

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <atomic>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/time.h"
#include "tests/machine_context.h"
#include "tests/routes_fixture.h"
#include "tests/small_stack.h"
#include "tests/thread_timer.h"

extern "C" {
extern const char runtime_entryBegin[] __attribute__((visibility("hidden")));
extern const char runtime_entryEnd[] __attribute__((visibility("hidden")));
}

namespace runtime {
namespace {

#if defined(__x86_64__) || defined(__i386__)
constexpr int kEnough = 2000;
#else
constexpr int kEnough = 50;  // emulated, most likely
#endif

// What is true: which caller reads just now.
enum Caller { kNobody, kFirst, kSecond, kThird, kHandler };
std::atomic<int> reading_for{kNobody};

// The M that the callers' readings publish in; for those that take one, it is
// the argument as well.
runtime_M* profiled;

// Each caller has a section of its own, whose bounds the linker knows.
#define CALLER(name, who, count, reading)                                 \
  __attribute__((noinline, used, section("caller_" #name))) void name() { \
    reading_for.store(who, std::memory_order_relaxed);                    \
    for (int i = 0; i < (count); ++i) static_cast<void>(reading);         \
    reading_for.store(kNobody, std::memory_order_relaxed);                \
  }
#define SECTION(name)                            \
  extern "C" const char __start_caller_##name[]; \
  extern "C" const char __stop_caller_##name[];

}  // namespace
}  // namespace runtime

// The linker's names.
// NOLINTBEGIN(bugprone-reserved-identifier)
SECTION(First)
SECTION(Second)
SECTION(Third)
SECTION(Handler)
// NOLINTEND(bugprone-reserved-identifier)

namespace runtime {
namespace {

bool own_m;  // the callers pass profiled on

int64_t Nanotime() {
  return own_m ? runtime_nanotimeM(profiled) : runtime_nanotime();
}

// Written out: a call in between would be the caller.
CALLER(First, kFirst, 200,
       own_m ? runtime_nanotimeM(profiled) : runtime_nanotime())
CALLER(Second, kSecond, 200, own_m ? runtime_nowM(profiled) : runtime_now())
CALLER(Third, kThird, 200,
       own_m ? runtime_walltimeM(profiled) : runtime_walltime())
CALLER(Handler, kHandler, 3,
       own_m ? runtime_nanotimeM(profiled) : runtime_nanotime())

// CallerAt returns whose code pc lies in.
int CallerAt(uintptr_t pc) {
  const auto in = [pc](const char* start, const char* stop) {
    return pc >= reinterpret_cast<uintptr_t>(start) &&
           pc < reinterpret_cast<uintptr_t>(stop);
  };
  if (in(__start_caller_First, __stop_caller_First)) return kFirst;
  if (in(__start_caller_Second, __stop_caller_Second)) return kSecond;
  if (in(__start_caller_Third, __stop_caller_Third)) return kThird;
  if (in(__start_caller_Handler, __stop_caller_Handler)) return kHandler;
  return kNobody;
}

// Samples is what the profiler has seen.
struct Samples {
  std::atomic<int> all{0};
  std::atomic<int> inside{0};        // a frame is published
  std::atomic<int> nested{0};        // ... by a handler
  std::atomic<int> at_the_edge{0};   // in an entry point, and none is
  std::atomic<int> wrong{0};         // attributed to somebody else
  std::atomic<int> wrong_by_pc{0};   // ... by who does not ask for the frame
  std::atomic<int> lost_in_vdso{0};  // in the vDSO, and no frame
  std::atomic<int> not_in_reading{0};
};
Samples* samples;

void Sample(uintptr_t at) {
  const int truth = reading_for.load(std::memory_order_relaxed);
  uintptr_t pc, sp;
  ++samples->all;
  if (runtime_vdsoFrame(profiled, &pc, &sp) != 0) {
    ++samples->inside;
    if (truth == kHandler) ++samples->nested;
    if (CallerAt(pc) != truth) ++samples->wrong;
    if (CallerAt(at) != truth) ++samples->wrong_by_pc;
    if (runtime_inReading(profiled, at) != 1) ++samples->not_in_reading;
  } else if (runtime_inReading(profiled, at) != 0) {
    ++samples->at_the_edge;
  } else if (runtime_inVDSO(at) != 0 && truth != kNobody) {
    ++samples->lost_in_vdso;
  }
}

std::atomic<int> depth{0};

void OnSignal(int, siginfo_t*, void* context) {
  Sample(InterruptedAt(context));
  const int interrupted = reading_for.load(std::memory_order_relaxed);
  ++depth;
  if (depth == 1) Handler();
  --depth;
  reading_for.store(interrupted, std::memory_order_relaxed);
}

enum class Situation { kAttached, kNotAttached, kOwnM };

class ProfilerTest : public RoutesFixture,
                     public testing::WithParamInterface<Situation> {
 protected:
  ProfilerTest() {
    const stack_t stack = {alternate_.stack(), 0, alternate_.size()};
    sigaltstack(&stack, &old_stack_);
    profiled = runtime_currentM();
    own_m = GetParam() == Situation::kOwnM;
    if (own_m) profiled = &m_;
    if (GetParam() == Situation::kAttached) {
      EXPECT_EQ(runtime_attach(vdso_.stack(), vdso_.size()), 0);
    }
    if (own_m) {
      EXPECT_EQ(runtime_initM(&m_, vdso_.stack(), vdso_.size()), 0);
    }
    struct sigaction action = {};
    action.sa_sigaction = OnSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGPROF, &action, &old_actions_[0]);
    sigaction(SIGUSR1, &action, &old_actions_[1]);
  }
  ~ProfilerTest() override {
    sigaction(SIGPROF, &old_actions_[0], nullptr);
    sigaction(SIGUSR1, &old_actions_[1], nullptr);
    sigaltstack(&old_stack_, nullptr);
  }

  SmallStack vdso_{RUNTIME_VDSO_STACK_MIN};
  SmallStack alternate_{512 << 10};
  runtime_M m_;
  stack_t old_stack_;
  struct sigaction old_actions_[2];
};

// Collect reads until there are enough samples, or for half a minute.
void Collect(Samples* result) {
  samples = result;
  // A prime, so that it does not keep time with the loops.
  const ThreadTimer timer(SIGPROF, 49'999);
  const time_t end = time(nullptr) + 30;
  while (result->inside < kEnough && time(nullptr) < end) {
    First();
    Second();
    Third();
  }
}

TEST_P(ProfilerTest, AttributesEverySampleToItsCaller) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  Samples result;
  Collect(&result);
  RecordProperty("samples", result.all);
  RecordProperty("inside", result.inside);
  RecordProperty("at_the_edge", result.at_the_edge);
  EXPECT_GE(result.inside, kEnough);
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.lost_in_vdso, 0);
  EXPECT_EQ(result.not_in_reading, 0);
  // The check would have noticed: most of those are in the route.
  EXPECT_GT(result.wrong_by_pc, result.inside / 2);
  EXPECT_GT(Nanotime(), 0);
}

// InterruptedRoute has each reading interrupted, and those of the handler too.
int InterruptedRoute(int32_t, KernelTimespec* ts) {
  if (depth == 0) raise(SIGPROF);
  if (depth == 1) raise(SIGUSR1);
  *ts = {1, 0};
  return 0;
}

TEST_P(ProfilerTest, AttributesReadingsOfHandlers) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
#endif
  Samples result;
  samples = &result;
  SetRoutes({{InterruptedRoute}});
  First();
  Second();
  Third();
  // Of the callers' 200 readings, Second's of two clocks, and the handler's 3.
  EXPECT_EQ(result.inside, 4 * 200 * (1 + 3));
  EXPECT_EQ(result.nested, 4 * 200 * 3);
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.wrong_by_pc, result.inside);
}

std::string Name(const testing::TestParamInfo<Situation>& info) {
  const char* const names[] = {"Attached", "NotAttached", "OwnM"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Threads, ProfilerTest,
                         testing::Values(Situation::kAttached,
                                         Situation::kNotAttached,
                                         Situation::kOwnM),
                         Name);

// Where am I?

TEST(WhereTest, InVdsoAgreesWithTheKernel) {
  std::ifstream maps("/proc/self/maps");
  uintptr_t begin = 0;
  uintptr_t end = 0;
  for (std::string line; std::getline(maps, line);) {
    if (!absl::StrContains(line, "[vdso]")) continue;
    unsigned long from = 0;
    unsigned long to = 0;
    ASSERT_EQ(sscanf(line.c_str(), "%lx-%lx", &from, &to), 2);
    begin = from;
    end = to;
  }
  if (begin == 0) GTEST_SKIP() << "no vDSO in /proc/self/maps";
  EXPECT_EQ(runtime_inVDSO(begin - 1), 0);
  EXPECT_EQ(runtime_inVDSO(end), 0);
  const Route route = runtime_route.in_use.load();
  if (!IsTrap(route)) {
    EXPECT_EQ(runtime_inVDSO(reinterpret_cast<uintptr_t>(route)), 1);
  }
}

template <typename F>
uintptr_t Address(F* function) {
  return reinterpret_cast<uintptr_t>(function);
}

TEST(WhereTest, InReadingIsTheEntryPoints) {
  const auto begin = reinterpret_cast<uintptr_t>(runtime_entryBegin);
  const auto end = reinterpret_cast<uintptr_t>(runtime_entryEnd);
  const runtime_M* const m = runtime_currentM();
  for (uintptr_t pc = begin; pc < end; ++pc) {
    EXPECT_EQ(runtime_inReading(m, pc), 1);
    EXPECT_EQ(runtime_inReading(nullptr, pc), 1);
  }
  for (const uintptr_t pc :
       {begin - 1, end, uintptr_t{0}, UINTPTR_MAX, Address(&Address<void()>)}) {
    EXPECT_EQ(runtime_inReading(m, pc), 0);
    EXPECT_EQ(runtime_inReading(nullptr, pc), 0);
    EXPECT_EQ(runtime_inVDSO(pc), 0);
  }
  for (const uintptr_t entry :
       {Address(runtime_nanotime), Address(runtime_nanotimeM),
        Address(runtime_walltime), Address(runtime_walltimeM),
        Address(runtime_now), Address(runtime_nowM)}) {
    EXPECT_EQ(runtime_inReading(m, entry), 1);
  }
}

}  // namespace
}  // namespace runtime
