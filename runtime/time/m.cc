#include "runtime/time/m.h"

#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include <atomic>

#include "runtime/sys/sys.h"
#include "runtime/time/asm_constants.h"

static_assert(offsetof(runtime_M, vdsoFP) == m_vdsoFP);
static_assert(offsetof(runtime_M, vdsoStackHi) == m_vdsoStackHi);
static_assert(offsetof(runtime_M, signalStackLo) == m_signalStackLo);
static_assert(offsetof(runtime_M, signalStackSize) == m_signalStackSize);
static_assert(offsetof(runtime_M, held) == m_held);
static_assert(offsetof(runtime_Held, coarseSec) == held_coarseSec);
static_assert(offsetof(runtime_Held, coarseNsec) == held_coarseNsec);
static_assert(offsetof(runtime_Held, sec) == held_sec);
static_assert(offsetof(runtime_Held, nsec) == held_nsec);
static_assert(offsetof(runtime_Held, generation) == held_generation);
static_assert(offsetof(runtime::KernelTimespec, sec) == ts_sec);
static_assert(offsetof(runtime::KernelTimespec, nsec) == ts_nsec);
static_assert(sizeof(runtime::KernelTimespec) == ts_size);
static_assert(CLOCK_REALTIME == RUNTIME_CLOCK_REALTIME);
static_assert(CLOCK_MONOTONIC == RUNTIME_CLOCK_MONOTONIC);
static_assert(CLOCK_MONOTONIC_RAW == RUNTIME_CLOCK_MONOTONIC_RAW);
static_assert(CLOCK_REALTIME_COARSE == RUNTIME_CLOCK_REALTIME_COARSE);
static_assert(CLOCK_MONOTONIC_COARSE == RUNTIME_CLOCK_MONOTONIC_COARSE);
static_assert(CLOCK_BOOTTIME == RUNTIME_CLOCK_BOOTTIME);
static_assert(CLOCK_TAI == RUNTIME_CLOCK_TAI);

__thread runtime_M runtime_tlsM;

namespace {

constexpr size_t kStackAlign = 16;  // the strictest of the four ABIs

bool IsUsable(uintptr_t stack, size_t size) {
  return stack != 0 && size >= RUNTIME_VDSO_STACK_MIN &&
         size <= UINTPTR_MAX - stack && stack % kStackAlign == 0 &&
         size % kStackAlign == 0;
}

struct SignalStack {
  uintptr_t lo;
  size_t size;
};

// AskSignalStack asks the kernel for this thread's alternate signal stack.
int AskSignalStack(SignalStack* result) {
  stack_t stack;
  stack.ss_flags = SS_DISABLE;  // what a sandbox says that does nothing
  const intptr_t rc = runtime::runtime_syscall(
      __NR_sigaltstack, 0, reinterpret_cast<intptr_t>(&stack), 0, 0);
  if (rc != 0) return rc < 0 ? static_cast<int>(rc) : -EIO;
  const bool there = (stack.ss_flags & SS_DISABLE) == 0;
  result->lo = there ? reinterpret_cast<uintptr_t>(stack.ss_sp) : 0;
  result->size = there ? stack.ss_size : 0;
  return 0;
}

// SetStack gives m a stack, in an order that lets a signal handler of this
// thread find all of it or none.
void SetStack(runtime_M* m, uintptr_t lo, uintptr_t hi, SignalStack signals) {
  m->vdsoStackHi = 0;
  std::atomic_signal_fence(std::memory_order_release);
  m->vdsoStackLo = lo;
  m->signalStackLo = signals.lo;
  m->signalStackSize = signals.size;
  std::atomic_signal_fence(std::memory_order_release);
  m->vdsoStackHi = hi;
  std::atomic_signal_fence(std::memory_order_release);
}

}  // namespace

int runtime_initM(runtime_M* m, void* stack, size_t size) {
  const uintptr_t lo = reinterpret_cast<uintptr_t>(stack);
  if (!IsUsable(lo, size)) return -EINVAL;
  SignalStack signals;
  const int rc = AskSignalStack(&signals);
  if (rc != 0) return rc;
  m->vdsoFP = 0;
  m->held.generation = 0;
  SetStack(m, lo, lo + size - runtime::kVdsoStackUnused, signals);
  return 0;
}

int runtime_noteSignalStack(runtime_M* m) {
  SignalStack signals;
  const int rc = AskSignalStack(&signals);
  if (rc == 0) SetStack(m, m->vdsoStackLo, m->vdsoStackHi, signals);
  return rc;
}

int runtime_attach(void* stack, size_t size) {
  return runtime_initM(&runtime_tlsM, stack, size);
}

void runtime_detach(void) { SetStack(&runtime_tlsM, 0, 0, {0, 0}); }

runtime_M* runtime_currentM(void) { return &runtime_tlsM; }

uintptr_t runtime_markM(const runtime_M* m) {
  return *static_cast<const volatile uintptr_t*>(&m->vdsoFP);
}

void runtime_resetM(runtime_M* m, uintptr_t mark) {
  *static_cast<volatile uintptr_t*>(&m->vdsoFP) = mark;
}
