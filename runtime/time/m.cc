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

runtime_M* runtime_setM(runtime_M* m) {
  runtime_M* const old = runtime_tlsM;
  // A signal handler of this thread sees a whole M or none.
  std::atomic_signal_fence(std::memory_order_release);
  runtime_tlsM = m;
  std::atomic_signal_fence(std::memory_order_release);
  return old;
}

int runtime_attach(runtime_M* m, void* stack, size_t size) {
  const int rc = runtime_initM(m, stack, size);
  if (rc == 0) runtime_setM(m);
  return rc;
}

runtime_M* runtime_detach(void) { return runtime_setM(nullptr); }

runtime_M* runtime_currentM(void) { return runtime_tlsM; }

void runtime_resetM(runtime_M* m) {
  *static_cast<volatile uintptr_t*>(&m->vdsoFP) = 0;
}
