#include "tests/storm.h"

#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>  // NOLINT(build/c++11)

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "runtime/time/m.h"
#include "runtime/time/route.h"
#include "tests/machine_context.h"
#include "tests/small_stack.h"
#include "tests/thread_timer.h"

namespace runtime {
namespace {

constexpr int kTimerSignal = SIGUSR1;
constexpr int kThreadSignal = SIGUSR2;
int QueuedSignal() { return SIGRTMIN; }

constexpr int kUnwindEvery = 16;
#if defined(__x86_64__) || defined(__i386__)
constexpr int kTimerNanoseconds = 20'000;
#else
constexpr int kTimerNanoseconds = 500'000;  // emulated, most likely
#endif

// AlternateStackSize: five signals, each in the midst of the one before.
size_t AlternateStackSize() {
  return (5 * (SignalFrameSize() + 32768)) & ~size_t{15};
}

// Counters are written by one thread, its handlers included: an increment may
// be interrupted by another, so they are atomic.
using Counter = std::atomic<int64_t>;
void Add(Counter* counter) { counter->fetch_add(1, std::memory_order_relaxed); }

// StormThread is a thread, and all that its handlers need.
struct StormThread {
  SmallStack small{2048};
  SmallStack vdso{RUNTIME_VDSO_STACK_MIN};
  SmallStack alternate{AlternateStackSize()};
  StormFrames frames;
  pid_t id = 0;
  std::unique_ptr<ThreadTimer> own_timer;
  std::atomic<bool> ready{false};
  std::atomic<int> depth{0};
  std::atomic<int64_t> last_mono{0};
  Counter readings{0}, profiler{0}, timer{0}, thread{0}, queued_handled{0};
  Counter inside_readings{0}, inside_handlers{0}, in_vdso{0}, unwound{0};
  Counter torn{0}, lost_caller{0}, backwards{0}, left_published{0};
  int64_t queued = 0;  // by the sender
};

std::atomic<bool> stop;

// The thread that this one is; not looked for on a small stack, where the
// compiler might keep its address across something.
thread_local StormThread* self;

// CheckMono is for a reading that was begun when the last one was before.
void CheckMono(StormThread* t, int64_t before, int64_t mono) {
  if (mono < before) Add(&t->backwards);
  int64_t last = t->last_mono.load(std::memory_order_relaxed);
  while (last < mono && !t->last_mono.compare_exchange_weak(
                            last, mono, std::memory_order_relaxed)) {
  }
}

// The readings of the main flow, and those of the handlers: all of them, so
// that their callers can be told.
[[gnu::noinline]] void ReadInLoop(StormThread* t) {
  const int64_t before = t->last_mono.load(std::memory_order_relaxed);
  const int64_t mono = runtime_nanotime();
  const runtime_Walltime wall = runtime_walltime();
  const runtime_Now now = runtime_now();
  CheckMono(t, before, mono);
  CheckMono(t, mono, now.mono);
  if (wall.nsec < 0 || now.nsec < 0) Add(&t->backwards);
}

[[gnu::noinline]] void ReadInHandler(StormThread* t) {
  const int64_t before = t->last_mono.load(std::memory_order_relaxed);
  const int64_t mono = runtime_nanotime();
  const runtime_Now now = runtime_now();
  CheckMono(t, before, mono);
  CheckMono(t, mono, now.mono);
}

// Unwind looks for the caller of the reading that was interrupted. Not on arm,
// where the tables of the C++ runtime hold at calls only.
void Unwind(StormThread* t, uintptr_t caller) {
#ifndef __arm__
  void* pcs[32];
  const int count = backtrace(pcs, 32);
  Add(&t->unwound);
  for (int i = 0; i < count; ++i) {
    if (reinterpret_cast<uintptr_t>(pcs[i]) == caller) return;
  }
  Add(&t->lost_caller);
#else
  static_cast<void>(t);
  static_cast<void>(caller);
#endif
}

Counter* CounterOf(StormThread* t, int signal) {
  if (signal == SIGPROF) return &t->profiler;
  if (signal == kTimerSignal) return &t->timer;
  if (signal == kThreadSignal) return &t->thread;
  return &t->queued_handled;
}

void OnSignal(int signal, siginfo_t*, void* context) {
  StormThread* const t = self;
  if (t == nullptr) return;
  const int depth = t->depth.fetch_add(1, std::memory_order_relaxed);
  Add(CounterOf(t, signal));
  const runtime_M* const m = runtime_currentM();
  const uintptr_t at = InterruptedAt(context);
  uintptr_t pc, sp;
  if (runtime_vdsoFrame(m, &pc, &sp) != 0) {
    Add(depth == 0 ? &t->inside_readings : &t->inside_handlers);
    if (!t->frames.Knows(pc, sp) || runtime_inReading(m, at) != 1) {
      Add(&t->torn);
    } else if (depth == 0 && t->inside_readings % kUnwindEvery == 0 &&
               // which may have no unwind data,
               runtime_inVDSO(at) == 0 &&
               // nor may a handler that has yet to begin: on arm64 libgcc does
               // not get through two signals in a row.
               !t->alternate.Holds(InterruptedStack(context))) {
      Unwind(t, pc);
    }
  }
  if (runtime_inVDSO(at) != 0) Add(&t->in_vdso);
  ReadInHandler(t);
  t->depth.fetch_sub(1, std::memory_order_relaxed);
}

// LearningRoute finds out where readings return to.
StormFrames* learned;
int LearningRoute(int32_t, KernelTimespec* ts) {
  uintptr_t pc, sp;
  if (runtime_vdsoFrame(runtime_currentM(), &pc, &sp) != 0) {
    learned->AddCall(pc);
  }
  *ts = {1, 1};
  return 0;
}

// LearnCalls returns the callers of all readings. No thread runs yet.
StormFrames LearnCalls(const RouteList& routes) {
  StormFrames frames;
  StormThread nobody;
  learned = &frames;
  SetRoutes({{LearningRoute}});
  ReadInLoop(&nobody);
  ReadInHandler(&nobody);
  SetRoutes(routes);
  return frames;
}

void Loop() {
  StormThread* const t = self;
  while (!stop.load(std::memory_order_relaxed)) {
    ReadInLoop(t);
    Add(&t->readings);
  }
}

uintptr_t Address(const char* p) { return reinterpret_cast<uintptr_t>(p); }

void RunThread(StormThread* t) {
  const stack_t stack = {t->alternate.stack(), 0, t->alternate.size()};
  stack_t old_stack;
  sigaltstack(&stack, &old_stack);
  t->frames.AddStack(Address(t->small.stack()),
                     Address(t->small.stack()) + t->small.size());
  t->frames.AddStack(Address(t->alternate.stack()),
                     Address(t->alternate.stack()) + t->alternate.size());
  t->id = static_cast<pid_t>(syscall(SYS_gettid));
  if (runtime_attach(t->vdso.stack(), t->vdso.size()) != 0) abort();
  self = t;

  t->own_timer = std::make_unique<ThreadTimer>(kTimerSignal, kTimerNanoseconds);
  t->ready.store(true);
  t->small.Run(Loop);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  if (runtime_currentM()->vdsoFP != 0) Add(&t->left_published);
  self = nullptr;
  sigaltstack(&old_stack, nullptr);
}

// Queue queues a real-time signal. The queue may be full: then it is tried
// later.
void Queue(StormThread* t) {
  siginfo_t info = {};
  info.si_code = SI_QUEUE;
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), t->id, QueuedSignal(), &info) ==
      0) {
    ++t->queued;
  } else {
    sched_yield();
  }
}

bool AllHandled(const std::vector<std::unique_ptr<StormThread>>& threads) {
  for (const auto& t : threads) {
    if (t->queued_handled.load() != t->queued) return false;
  }
  return true;
}

StormCounts Sum(const std::vector<std::unique_ptr<StormThread>>& threads) {
  StormCounts sum;
  for (const auto& t : threads) {
    sum.readings += t->readings;
    sum.profiler_signals += t->profiler;
    sum.timer_signals += t->timer;
    sum.thread_signals += t->thread;
    sum.queued += t->queued;
    sum.queued_handled += t->queued_handled;
    sum.inside_readings += t->inside_readings;
    sum.inside_handlers += t->inside_handlers;
    sum.in_vdso += t->in_vdso;
    sum.unwound += t->unwound;
    sum.torn += t->torn;
    sum.lost_caller += t->lost_caller;
    sum.backwards += t->backwards;
    sum.left_published += t->left_published;
    if (!t->small.Untouched(0)) ++sum.damaged;
    if (!t->vdso.Untouched(kVdsoStackUnused)) ++sum.damaged;
    if (!t->alternate.Untouched(0)) ++sum.damaged;
  }
  return sum;
}

void Install() {
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (const int signal :
       {SIGPROF, kTimerSignal, kThreadSignal, QueuedSignal()}) {
    sigaction(signal, &action, nullptr);
  }
}

void SetProfiler(int microseconds) {
  const itimerval value = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &value, nullptr);
}

}  // namespace

bool StormFrames::Knows(uintptr_t pc, uintptr_t sp) const {
  for (const Range& stack : stacks_) {
    if (sp > stack.lo && sp <= stack.hi)
      return std::find(calls_.begin(), calls_.end(), pc) != calls_.end();
  }
  return false;
}

StormCounts RunStorm(const StormOptions& options) {
  void* pcs[1];
  backtrace(pcs, 1);  // loads libgcc, which no handler could
  const StormFrames calls =
      LearnCalls({{runtime_route.order[0], runtime_route.order[1],
                   runtime_route.order[2], runtime_route.order[3]}});
  stop = false;
  Install();
  // What no thread of the storm has is not for this one.
  sigset_t profiler, old_mask;
  sigemptyset(&profiler);
  sigaddset(&profiler, SIGPROF);

  std::vector<std::unique_ptr<StormThread>> threads;
  std::vector<std::thread> running;
  for (int i = 0; i < options.threads; ++i) {
    threads.push_back(std::make_unique<StormThread>());
    threads.back()->frames = calls;
    running.emplace_back(RunThread, threads.back().get());
  }
  pthread_sigmask(SIG_BLOCK, &profiler, &old_mask);
  for (const auto& t : threads) {
    while (!t->ready) sched_yield();
  }
  SetProfiler(100);

  const absl::Time end = absl::Now() + options.duration;
  for (size_t i = 0; absl::Now() < end; ++i) {
    StormThread* const t = threads[i % threads.size()].get();
    syscall(SYS_tgkill, getpid(), t->id, kThreadSignal);
    Queue(t);
  }
  SetProfiler(0);
  // They would be handled before what is queued, on a slow machine always.
  for (const auto& t : threads) t->own_timer.reset();
  // Every queued signal arrives; a minute says that one never does.
  const absl::Time patience = absl::Now() + absl::Minutes(1);
  while (!AllHandled(threads) && absl::Now() < patience) sched_yield();
  stop = true;
  for (std::thread& thread : running) thread.join();
  pthread_sigmask(SIG_SETMASK, &old_mask, nullptr);
  return Sum(threads);
}

std::string StormCounts::Faults() const {
  std::string faults;
  const auto add = [&faults](int64_t count, const char* what) {
    if (count != 0) absl::StrAppend(&faults, count, " ", what, "\n");
  };
  add(queued - queued_handled, "queued signals lost");
  add(torn, "frames torn");
  add(lost_caller, "times the caller was not found");
  add(backwards, "times time went backwards");
  add(damaged, "stacks damaged");
  add(left_published, "readings left published");
  if (inside_readings == 0) faults += "no reading was interrupted\n";
  return faults;
}

std::string StormCounts::Table() const {
  std::string table;
  const auto row = [&table](const char* name, int64_t count) {
    absl::StrAppendFormat(&table, "%-46s %12d\n", name, count);
  };
  row("rounds of readings", readings);
  row("SIGPROF handled", profiler_signals);
  row("signals of the threads' timers handled", timer_signals);
  row("signals of tgkill handled", thread_signals);
  row("real-time signals queued", queued);
  row("real-time signals handled", queued_handled);
  row("handlers that interrupted a reading", inside_readings);
  row("handlers that interrupted a handler's reading", inside_handlers);
  row("handlers that interrupted the vDSO", in_vdso);
  row("unwound to the caller of a reading", unwound);
  row("frames torn", torn);
  row("callers not found", lost_caller);
  row("time went backwards", backwards);
  row("stacks damaged", damaged);
  row("readings left published", left_published);
  return table;
}

}  // namespace runtime
