#include "runtime/time/m.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include <atomic>

#include "runtime/sys/sys.h"
#include "runtime/time/asm_constants.h"

static_assert(offsetof(runtime_M, vdsoFP) == m_vdsoFP);
static_assert(offsetof(runtime_M, vdsoStackHi) == m_vdsoStackHi);
static_assert(offsetof(runtime::KernelTimespec, sec) == ts_sec);
static_assert(offsetof(runtime::KernelTimespec, nsec) == ts_nsec);
static_assert(sizeof(runtime::KernelTimespec) == ts_size);
static_assert(CLOCK_REALTIME == RUNTIME_CLOCK_REALTIME);
static_assert(CLOCK_MONOTONIC == RUNTIME_CLOCK_MONOTONIC);

__thread runtime_M runtime_tlsM;

namespace {

constexpr size_t kStackAlign = 16;  // the strictest of the four ABIs

// kUnused is left free at the top. Stacks end where pages do, and processors
// take accesses at the same place in different pages for the same at first: the
// kernel's own stack is one that ends there, and a system call that writes to
// the last 48 bytes took half as long again on a Xeon.
constexpr size_t kUnused = 256;

bool IsUsable(uintptr_t stack, size_t size) {
  return stack != 0 && size >= RUNTIME_VDSO_STACK_MIN &&
         size <= UINTPTR_MAX - stack && stack % kStackAlign == 0 &&
         size % kStackAlign == 0;
}

}  // namespace

int runtime_initM(runtime_M* m, void* stack, size_t size) {
  const uintptr_t lo = reinterpret_cast<uintptr_t>(stack);
  if (!IsUsable(lo, size)) return -EINVAL;
  m->vdsoFP = 0;
  m->vdsoStackLo = lo;
  // A signal handler of this thread finds a whole stack or none.
  std::atomic_signal_fence(std::memory_order_release);
  m->vdsoStackHi = lo + size - kUnused;
  std::atomic_signal_fence(std::memory_order_release);
  return 0;
}

int runtime_attach(void* stack, size_t size) {
  return runtime_initM(&runtime_tlsM, stack, size);
}

void runtime_detach(void) {
  runtime_tlsM.vdsoStackHi = 0;
  std::atomic_signal_fence(std::memory_order_release);
  runtime_tlsM.vdsoStackLo = 0;
}

runtime_M* runtime_currentM(void) { return &runtime_tlsM; }

uintptr_t runtime_markM(const runtime_M* m) {
  return *static_cast<const volatile uintptr_t*>(&m->vdsoFP);
}

void runtime_resetM(runtime_M* m, uintptr_t mark) {
  *static_cast<volatile uintptr_t*>(&m->vdsoFP) = mark;
}
