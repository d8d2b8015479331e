// Initialisation: the auxiliary vector, to the vDSO, to the routes.

#include "runtime/time/init.h"

#include <elf.h>

#include "runtime/sys/auxv.h"
#include "runtime/time/time.h"
#include "runtime/time/traps.h"
#include "runtime/vdso/vdso_linux.h"

namespace runtime {

int InitFromSysinfoEhdr(uintptr_t sysinfo_ehdr) {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, sysinfo_ehdr, &syms);
  const RouteList routes = VdsoRoutes(syms);
  SetRoutes(routes);
  return routes.routes[0] != kTraps.routes[0] ? 1 : 0;
}

}  // namespace runtime

int runtime_timeInit(const void* auxv) {
  using runtime::AuxvEntry;
  const auto* entries = static_cast<const AuxvEntry*>(auxv);
  AuxvEntry proc[runtime::kMaxAuxvEntries];
  if (entries == nullptr) {
    runtime::ReadProcAuxv(proc);
    entries = proc;
  }
  return runtime::InitFromSysinfoEhdr(
      runtime::AuxvValue(entries, AT_SYSINFO_EHDR));
}

int runtime_timeInitFromStack(const void* stack) {
  return runtime_timeInit(runtime::AuxvFromStack(stack));
}
