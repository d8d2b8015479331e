// The order of routes on amd64 and arm64: vDSO, syscall.

#include "runtime/time/route.h"
#include "runtime/time/traps.h"

namespace runtime {

RouteList VdsoRoutes(const vdsoSymbols& syms) {
  if (syms.vdsoClockgettimeSym == 0) return kTraps;
  return {
      {reinterpret_cast<Route>(syms.vdsoClockgettimeSym), kTraps.routes[0]}};
}

}  // namespace runtime
