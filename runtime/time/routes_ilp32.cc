// The routes of 386 and arm: vDSO, then syscall, and in each the function with
// 64-bit times before the one with 32-bit times.

#include <errno.h>

#include "runtime/sys/kernel_release.h"
#include "runtime/time/candidates.h"
#include "runtime/vdso/vdso_linux_arch.h"

namespace runtime {
namespace {

// ReadWidened reads by a route with 32-bit times.
int ReadWidened(OldRoute route, int32_t clockid, KernelTimespec* ts) {
  // Twice the size, for a vDSO that falls back to the 64-bit syscall on this
  // buffer: two words of seconds, then two of nanoseconds, are there then.
  constexpr uint32_t kUnwritten = UINT32_MAX;
  alignas(KernelTimespec) OldTimespec old[2] = {{kUnwritten, -1}, {0, -1}};
  int rc = route(clockid, old);
  if (rc == 0 && old[0].sec == kUnwritten) {
    // Or it is the last second in 2106, which another reading tells.
    old[0].sec = 0;
    rc = route(clockid, old);
    if (old[0].sec == 0) return rc;  // *ts stays unwritten, too
  }
  const bool wide = old[1].nsec != -1;
  ts->sec = old[0].sec;
  ts->nsec = wide ? static_cast<int64_t>(old[1].sec) : old[0].nsec;
  return rc;
}

int VdsoOldClockGettime(int32_t clockid, KernelTimespec* ts) {
  return ReadWidened(runtime_route.vdso_old.load(std::memory_order_relaxed),
                     clockid, ts);
}

void AddVdso(Route route, const vdsoSymbols& syms, const vdsoSymbolKey& key,
             CandidateList* list) {
  list->Add(route, RUNTIME_ROUTE_VDSO, key.name, key.version.version,
            syms.*key.sym);
}

void AddTime64(CandidateList* list) {
  list->Add(runtime_sysClockGettime64, RUNTIME_ROUTE_SYSCALL, "clock_gettime64",
            nullptr, 0);
}

}  // namespace

int SyscallOldClockGettime(int32_t clockid, KernelTimespec* ts) {
  return ReadWidened(runtime_sysClockGettime, clockid, ts);
}

int SyscallNewClockGettime(int32_t clockid, KernelTimespec* ts) {
  if (KernelHasTime64() == HasTime64::kNo) return -ENOSYS;
  return runtime_sysClockGettime64(clockid, ts);
}

void FindVdsoRoutes(const vdsoSymbols& syms, CandidateList* list) {
  const bool has_old = syms.vdsoClockgettimeSym != 0;
  if (syms.vdsoClockgettime64Sym != 0 &&
      (has_old || !vdsoClockgettime64NeedsOld)) {
    AddVdso(reinterpret_cast<Route>(syms.vdsoClockgettime64Sym), syms,
            vdsoSymbolKeys[0], list);
  }
  if (has_old) AddVdso(VdsoOldClockGettime, syms, vdsoSymbolKeys[1], list);
}

void BindVdsoRoutes(const vdsoSymbols& syms) {
  // Never null: a reading under way may be about to call it.
  if (syms.vdsoClockgettimeSym == 0) return;
  runtime_route.vdso_old.store(
      reinterpret_cast<OldRoute>(syms.vdsoClockgettimeSym),
      std::memory_order_relaxed);
}

void FindTraps(bool filtered, CandidateList* list) {
  const HasTime64 has = KernelHasTime64();
  // Filters older than the 64-bit call kill for it, and all know the other one.
  const bool time64_first = has == HasTime64::kYes && !filtered;
  if (time64_first) AddTime64(list);
  list->Add(SyscallOldClockGettime, RUNTIME_ROUTE_SYSCALL, "clock_gettime",
            nullptr, 0);
  if (!time64_first && has != HasTime64::kNo) AddTime64(list);
}

bool IsTrap(Route route) {
  return route == runtime_sysClockGettime64 ||
         route == SyscallNewClockGettime || route == SyscallOldClockGettime;
}

}  // namespace runtime
