// All handlers run on an alternate stack (SA_ONSTACK): with AVX-512 the
// kernel's frame alone is larger than a fiber's stack. They may interrupt each
// other, in the midst of a reading as well.

#include "examples/fiber/signals.h"

#include <stdint.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include <sys/types.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>

#include "absl/strings/string_view.h"
#include "examples/fiber/die.h"
#include "examples/fiber/fiber.h"
#include "runtime/time/time.h"

// Of Linux's sigevent; glibc has it without its name.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace fibers {
namespace {

// As in Go: nobody else uses it, and who does not expect it ignores it.
constexpr int kPreempt = SIGURG;

constexpr size_t kSignals = 3;  // each could interrupt the others' handlers
constexpr size_t kHandlersNeed = 32 << 10;

// The handlers' way to their worker. Fibers must not look here (fiber.cc).
thread_local Worker* this_worker = nullptr;

uintptr_t InterruptedAt(const void* context) {
  const mcontext_t& m = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(m.gregs[REG_RIP]);
#elif defined(__i386__)
  return static_cast<uintptr_t>(m.gregs[REG_EIP]);
#elif defined(__arm__)
  return m.arm_pc;
#elif defined(__aarch64__)
  return m.pc;
#else
#error "this example is for 386, amd64, arm and arm64"
#endif
}

void Count(std::atomic<int>* counter) {
  counter->fetch_add(1, std::memory_order_relaxed);
}

// Preempt asks the fiber to yield at its next safe point. Were it to switch
// here and now, it would have to let those off that are inside a reading.
void Preempt(int, siginfo_t*, void* context) {
  Worker* const worker = this_worker;
  if (worker == nullptr) return;
  Count(&worker->signals.preemption_requests);
  if (runtime_inReading(runtime_currentM(), InterruptedAt(context))) {
    Count(&worker->signals.requests_inside_reading);
  }
  worker->yield_requested.store(true, std::memory_order_relaxed);
}

// Profile attributes a sample. A real profiler would store the time, and unwind
// from the place found here. It may read the clock wherever it comes, also in
// the midst of a reading.
void Profile(int, siginfo_t*, void* context) {
  Worker* const worker = this_worker;
  if (worker == nullptr) return;
  SignalCounts& counts = worker->signals;
  Count(&counts.samples);
  const int64_t now_ns = runtime_nanotime();
  if (now_ns < worker->last_sample_ns) Count(&counts.clock_went_back);
  worker->last_sample_ns = now_ns;

  const runtime_M* const m = runtime_currentM();
  uintptr_t pc = InterruptedAt(context);
  uintptr_t sp = 0;
  if (runtime_inReading(m, pc)) {
    Count(&counts.samples_inside_reading);
    // Otherwise it is in the entry point's first or last instructions, still on
    // its caller's stack: unwound as any function.
    if (runtime_vdsoFrame(m, &pc, &sp)) Count(&counts.samples_with_caller);
  } else if (runtime_inVDSO(pc)) {
    // Somebody else's call, and an unwinder may not find out whose: glibc's
    // clock_gettime, and on 386 all of glibc's system calls.
    Count(&counts.samples_elsewhere_in_vdso);
  }
}

// Message is a line put together without what a handler must not call.
class Message {
 public:
  Message& Append(absl::string_view text) {
    const size_t n = std::min(text.size(), sizeof text_ - size_);
    memcpy(text_ + size_, text.data(), n);
    size_ += n;
    return *this;
  }
  Message& Append(uintptr_t number) {  // to_chars: neither heap nor locale
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number);
    return Append({digits, static_cast<size_t>(end.ptr - digits)});
  }
  bool Write(int fd) const {
    return write(fd, text_, size_) == static_cast<ssize_t>(size_);
  }

 private:
  char text_[160];
  size_t size_ = 0;
};

// Overflow says whose stack was too small.
void Overflow(int signal_number, siginfo_t* info, void*) {
  const Worker* const worker = this_worker;
  const Fiber* const fiber =
      worker == nullptr ? nullptr
                        : worker->running.load(std::memory_order_relaxed);
  if (fiber == nullptr || !fiber->stack().GuardHolds(info->si_addr)) {
    // Another fault. It happens again, and ends the program as usual.
    signal(signal_number, SIG_DFL);
    return;
  }

  static std::atomic_flag reported = ATOMIC_FLAG_INIT;
  while (reported.test_and_set()) pause();  // another worker is about to exit
  const auto below = static_cast<uintptr_t>(
      fiber->stack().base - static_cast<const char*>(info->si_addr));
  Message()
      .Append("fiber ")
      .Append(static_cast<uintptr_t>(fiber->id()))
      .Append(" overflowed its stack of ")
      .Append(kStackSize)
      .Append(" bytes: something touched the guard page, ")
      .Append(below)
      .Append(" bytes below the stack\n")
      .Write(STDERR_FILENO);
  _exit(kExitOverflow);
}

void Install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (sigaction(signal, &action, nullptr) != 0) Die("sigaction");
}

sigset_t WorkerSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  sigaddset(&set, kPreempt);
  return set;
}

void SetProfilingTimer(absl::Duration every) {
  const itimerval value = {absl::ToTimeval(every), absl::ToTimeval(every)};
  if (setitimer(ITIMER_PROF, &value, nullptr) != 0) Die("setitimer");
}

}  // namespace

ProcessSignals::ProcessSignals(absl::Duration every) {
  Install(kPreempt, Preempt);
  Install(SIGPROF, Profile);
  Install(SIGSEGV, Overflow);
  const sigset_t set = WorkerSet();
  pthread_sigmask(SIG_BLOCK, &set, &old_mask_);
  SetProfilingTimer(every);
}

ProcessSignals::~ProcessSignals() {
  SetProfilingTimer(absl::ZeroDuration());
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

WorkerSignals::WorkerSignals(Worker* worker, absl::Duration every)
    : stack_(kSignals * getauxval(AT_MINSIGSTKSZ) + kHandlersNeed) {
  this_worker = worker;
  stack_t stack = {};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  if (sigaltstack(&stack, nullptr) != 0) Die("sigaltstack");
  const sigset_t set = WorkerSet();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);

  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_notify_thread_id = gettid();
  event.sigev_signo = kPreempt;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) Die("timer_create");
  const itimerspec value = {absl::ToTimespec(every), absl::ToTimespec(every)};
  if (timer_settime(timer_, 0, &value, nullptr) != 0) Die("timer_settime");
}

WorkerSignals::~WorkerSignals() {
  timer_delete(timer_);
  const sigset_t set = WorkerSet();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  stack_t disable = {};
  disable.ss_flags = SS_DISABLE;
  sigaltstack(&disable, nullptr);
  this_worker = nullptr;
}

}  // namespace fibers
