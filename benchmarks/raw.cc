#include "benchmarks/raw.h"

#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <time.h>

#include "runtime/sys/sys.h"
#include "runtime/sys/vsyscall.h"
#include "runtime/time/candidates.h"
#include "runtime/time/info.h"
#include "runtime/vdso/vdso_linux.h"

namespace runtime {

Route RawVdso() {
  UseBestRoute();
  if (IsTrap(runtime_route.in_use.load())) return nullptr;
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR), &syms);
  return reinterpret_cast<Route>(syms.vdsoClockgettime64Sym != 0
                                     ? syms.vdsoClockgettime64Sym
                                     : syms.vdsoClockgettimeSym);
}

Route RawTrap() {
#ifdef __LP64__
  return runtime_sysClockGettime;
#else
  KernelTimespec ts;
  if (runtime_sysClockGettime64(CLOCK_MONOTONIC, &ts) == 0) {
    return runtime_sysClockGettime64;
  }
  return reinterpret_cast<Route>(
      reinterpret_cast<uintptr_t>(runtime_sysClockGettime));
#endif
}

void UseTrapRoute() { runtime_forceRoute(RUNTIME_ROUTE_SYSCALL); }

void UseBestRoute() { runtime_forceRoute(RUNTIME_ROUTE_AUTO); }

#ifdef __i386__
void UseInt80() {
  if (OpenVsyscall()) CloseVsyscall();
}
#endif

}  // namespace runtime
