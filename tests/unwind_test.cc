// In-process unwinders find main from inside a reading, wherever the vDSO stack
// lies: from the route, and from a handler of a signal that interrupted it.

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/debugging/stacktrace.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/trace.h"

namespace runtime {
namespace {

constexpr size_t kMaxFrames = Trace::kMax;
constexpr size_t kStackSize = 256 << 10;

// Unwinder returns the program counters of this thread's frames.
struct Unwinder {
  const char* name;
  Trace (*unwind)();
};

Trace ToTrace(void* const* pcs, int count) {
  Trace trace;
  for (int i = 0; i < count; ++i) {
    trace.Add(reinterpret_cast<uintptr_t>(pcs[i]));
  }
  return trace;
}

Trace Glibc() {
  void* pcs[kMaxFrames];
  return ToTrace(pcs, backtrace(pcs, kMaxFrames));
}

// Libunwind is not linked: no build for another architecture has it.
Trace Libunwind() {
  using Function = int (*)(void**, int);
  static void* const library = dlopen("libunwind.so.8", RTLD_NOW);
  if (library == nullptr) return Trace();
  static const auto unw_backtrace =
      reinterpret_cast<Function>(dlsym(library, "unw_backtrace"));
  void* pcs[kMaxFrames];
  return ToTrace(pcs, unw_backtrace(pcs, kMaxFrames));
}

Trace Abseil() {
  void* pcs[kMaxFrames];
  return ToTrace(pcs, absl::GetStackTrace(pcs, kMaxFrames, 0));
}

// What docs/embedding.md gives Abseil in place of its own.
int ByBacktrace(void** pcs, int* sizes, int max_depth, int skip_count,
                const void*, int* min_dropped_frames) {
  void* all[kMaxFrames];
  const int count = backtrace(all, kMaxFrames);
  int depth = 0;
  for (int i = skip_count; i < count && depth < max_depth; ++i) {
    if (sizes != nullptr) sizes[depth] = 0;
    pcs[depth++] = all[i];
  }
  if (min_dropped_frames != nullptr) *min_dropped_frames = 0;
  return depth;
}

Trace AbseilByBacktrace() {
  absl::SetStackUnwinder(ByBacktrace);
  const Trace trace = Abseil();
  absl::SetStackUnwinder(nullptr);
  return trace;
}

constexpr Unwinder kUnwinders[] = {
    {"libgcc", Backtrace},
    {"glibc", Glibc},
    {"libunwind", Libunwind},
    {"absl", Abseil},
    {"absl by backtrace", AbseilByBacktrace},
};

bool from_signal;
const Unwinder* unwinder;
Trace trace;

void OnSignal(int) { trace = unwinder->unwind(); }

int UnwindingRoute(int32_t, KernelTimespec* ts) {
  if (from_signal) {
    raise(SIGUSR1);
  } else {
    trace = unwinder->unwind();
  }
  *ts = {1, 0};
  return 0;
}

uintptr_t main_pc;  // in main's caller

[[gnu::noinline]] int64_t Caller() {
  const int64_t result = runtime_nanotime();
  return result + 1;
}

// Result is what an unwinder made of it.
struct Result {
  std::string unwinder;
  bool above;
  bool from_signal;
  Trace trace;
};
std::vector<Result> results;

[[gnu::noinline]] void UnwindAll(bool above, void* vdso_stack) {
  runtime_attach(vdso_stack, kStackSize);
  signal(SIGUSR1, OnSignal);
  SetRoutes({{UnwindingRoute}});
  for (const Unwinder& each : kUnwinders) {
    for (const bool signal : {false, true}) {
      unwinder = &each;
      from_signal = signal;
      trace = {};
      Caller();
      results.push_back({each.name, above, signal, trace});
    }
  }
  runtime_detach();
}

std::string Name(const Result& result) {
  return absl::StrCat(result.unwinder, ", vDSO stack ",
                      result.above ? "above" : "below", ", from the ",
                      result.from_signal ? "handler" : "route");
}

bool Finds(const Result& result, uintptr_t pc) {
  return std::any_of(result.trace.begin(), result.trace.end(),
                     [pc](uintptr_t found) { return (found | 1) == (pc | 1); });
}

bool FindsAReading(const Result& result) {
  return std::any_of(
      result.trace.begin(), result.trace.end(),
      [](uintptr_t pc) { return runtime_inReading(nullptr, pc) == 1; });
}

// Abseil's follow frame pointers where they can, but not to a lower address nor
// over more than 100,000 bytes (stacktrace_x86-inl.inc, stacktrace_aarch64-
// inl.inc): they end with the reading. with another unwinder they do not.
bool StopsAtOtherStacks(const Result& result) {
#ifdef __arm__
  static_cast<void>(result);
  return false;
#else
  return result.unwinder == "absl";
#endif
}

TEST(UnwindTest, LeadsToMain) {
  int expected = 0;
  for (const Result& result : results) {
    if (StopsAtOtherStacks(result)) continue;
    if (result.unwinder == "libunwind" && result.trace.size() == 0) continue;
    ++expected;
    EXPECT_TRUE(FindsAReading(result)) << Name(result);
    EXPECT_TRUE(Finds(result, main_pc)) << Name(result);
  }
  EXPECT_GE(expected, 12);
}

// Without the handler's context, Abseil does not get through a signal's frame;
// and on arm64 it drops the last frame that it has found.
#ifndef __aarch64__
TEST(UnwindTest, LeadsToTheReadingAtLeast) {
  for (const Result& result : results) {
    if (StopsAtOtherStacks(result) && !result.from_signal) {
      EXPECT_TRUE(FindsAReading(result)) << Name(result);
    }
  }
}

#endif

// What the tests look for is not just anywhere.
TEST(UnwindTest, MainsCallerIsNoReading) {
  Result main_only = {};
  main_only.trace.Add(main_pc);
  EXPECT_TRUE(Finds(main_only, main_pc));
  EXPECT_FALSE(FindsAReading(main_only));
  Result another = {};
  another.trace.Add(main_pc - 4);
  EXPECT_FALSE(Finds(another, main_pc));
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  alignas(16) static char below[runtime::kStackSize];
  alignas(16) char above[runtime::kStackSize];
  runtime::main_pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  runtime::UnwindAll(false, below);
  runtime::UnwindAll(true, above);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
