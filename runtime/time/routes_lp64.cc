// The routes of amd64 and arm64: vDSO, syscall.

#include "runtime/time/candidates.h"
#include "runtime/vdso/vdso_linux_arch.h"

namespace runtime {

void FindVdsoRoutes(const vdsoSymbols& syms, CandidateList* list) {
  const uintptr_t address = syms.vdsoClockgettimeSym;
  if (address == 0) return;
  list->Add(reinterpret_cast<Route>(address), RUNTIME_ROUTE_VDSO,
            vdsoSymbolKeys[0].name, vdsoSymbolKeys[0].version.version, address);
}

// The route is the vDSO's function itself.
void BindVdsoRoutes(const vdsoSymbols&) {}

void FindTraps(bool, CandidateList* list) {
  list->Add(runtime_sysClockGettime, RUNTIME_ROUTE_SYSCALL, "clock_gettime",
            nullptr, 0);
}

bool IsTrap(Route route) { return route == runtime_sysClockGettime; }

}  // namespace runtime
