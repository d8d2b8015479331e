// The order of routes on 386 and arm: vDSO, then syscall, and in each the
// function with 64-bit times before the one with 32-bit times.

#include <atomic>

#include "runtime/time/route.h"
#include "runtime/time/traps.h"
#include "runtime/vdso/vdso_linux_arch.h"

namespace runtime {
namespace {

using OldRoute = int (*)(int32_t clockid, OldTimespec* ts);

std::atomic<OldRoute> vdso_clock_gettime{nullptr};

// ReadWidened reads by a route with 32-bit times.
int ReadWidened(OldRoute route, int32_t clockid, KernelTimespec* ts) {
  // Twice the size: some kernels' vDSOs fall back to the 64-bit syscall on this
  // buffer (the first generic lib/vdso, Linux 5.3).
  alignas(KernelTimespec) OldTimespec old[2] = {{0, -1}, {0, -1}};
  const int rc = route(clockid, old);
  ts->sec = old[0].sec;
  ts->nsec = old[0].nsec;
  return rc;
}

int VdsoOldClockGettime(int32_t clockid, KernelTimespec* ts) {
  return ReadWidened(vdso_clock_gettime.load(std::memory_order_relaxed),
                     clockid, ts);
}

}  // namespace

int SyscallOldClockGettime(int32_t clockid, KernelTimespec* ts) {
  return ReadWidened(runtime_sysClockGettime, clockid, ts);
}

RouteList VdsoRoutes(const vdsoSymbols& syms) {
#ifdef __i386__
  __atomic_store_n(&runtime_sysVsyscall,
                   syms.vdsoKernelVsyscallSym != 0
                       ? syms.vdsoKernelVsyscallSym
                       : reinterpret_cast<uintptr_t>(runtime_sysInt80),
                   __ATOMIC_RELAXED);
#endif
  RouteList list = {};
  int n = 0;
  const bool has_old = syms.vdsoClockgettimeSym != 0;
  if (syms.vdsoClockgettime64Sym != 0 &&
      (has_old || !vdsoClockgettime64NeedsOld)) {
    list.routes[n++] = reinterpret_cast<Route>(syms.vdsoClockgettime64Sym);
  }
  if (has_old) {
    vdso_clock_gettime.store(
        reinterpret_cast<OldRoute>(syms.vdsoClockgettimeSym),
        std::memory_order_relaxed);
    list.routes[n++] = VdsoOldClockGettime;
  }
  list.routes[n++] = kTraps.routes[0];
  list.routes[n] = kTraps.routes[1];
  return list;
}

}  // namespace runtime
