#include "benchmarks/raw.h"

#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <time.h>

#include "runtime/sys/sys.h"
#include "runtime/time/init.h"
#include "runtime/vdso/vdso_linux.h"

namespace runtime {
namespace {

vdsoSymbols Symbols() {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR), &syms);
  return syms;
}

}  // namespace

Route RawVdso() {
  if (InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR)) == 0) return nullptr;
  const vdsoSymbols syms = Symbols();
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

void UseTrapRoute() {
  vdsoSymbols without_clocks;
  without_clocks.vdsoKernelVsyscallSym = Symbols().vdsoKernelVsyscallSym;
  SetRoutes(VdsoRoutes(without_clocks));
}

void UseBestRoute() { InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR)); }

#ifdef __i386__
void UseInt80() {
  __atomic_store_n(&runtime_sysVsyscall,
                   reinterpret_cast<uintptr_t>(runtime_sysInt80),
                   __ATOMIC_RELAXED);
}
#endif

}  // namespace runtime
