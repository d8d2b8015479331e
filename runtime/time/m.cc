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

__thread runtime_M* runtime_tlsM = nullptr;

namespace {

constexpr size_t kStackAlign = 16;  // the strictest of the four ABIs

// The frame record of every arch's entry points: vdsoFP points to the caller's
// frame pointer, then comes the return address, and there the caller's frame
// ends.
struct FrameRecord {
  uintptr_t caller_fp;
  uintptr_t return_address;
};

}  // namespace

int runtime_initM(runtime_M* m, void* stack, size_t size) {
  const uintptr_t lo = reinterpret_cast<uintptr_t>(stack);
  if (lo == 0 || size < RUNTIME_VDSO_STACK_MIN || size > UINTPTR_MAX - lo ||
      lo % kStackAlign != 0 || size % kStackAlign != 0) {
    return -EINVAL;
  }
  m->vdsoFP = 0;
  m->vdsoStackLo = lo;
  m->vdsoStackHi = lo + size;
  return 0;
}

int runtime_attach(runtime_M* m, void* stack, size_t size) {
  const int rc = runtime_initM(m, stack, size);
  if (rc != 0) return rc;
  // A signal handler of this thread sees a whole M or none.
  std::atomic_signal_fence(std::memory_order_release);
  runtime_tlsM = m;
  return 0;
}

runtime_M* runtime_detach(void) {
  runtime_M* m = runtime_tlsM;
  runtime_tlsM = nullptr;
  std::atomic_signal_fence(std::memory_order_release);
  return m;
}

runtime_M* runtime_currentM(void) { return runtime_tlsM; }

int runtime_vdsoFrame(const runtime_M* m, uintptr_t* pc, uintptr_t* sp) {
  // Volatile: the entry points that the caller interrupted write it.
  const uintptr_t fp = *static_cast<const volatile uintptr_t*>(&m->vdsoFP);
  if (fp == 0) return 0;
  const auto* record = reinterpret_cast<const FrameRecord*>(fp);
  *pc = record->return_address;
  *sp = fp + sizeof(FrameRecord);
  return 1;
}

void runtime_resetM(runtime_M* m) {
  *static_cast<volatile uintptr_t*>(&m->vdsoFP) = 0;
}
