#ifndef RUNTIME_TIME_INIT_H_
#define RUNTIME_TIME_INIT_H_

#include <stdint.h>

#include "runtime/time/candidates.h"

namespace runtime {

// InitFromSysinfoEhdr is runtime_timeInit, given the value of AT_SYSINFO_EHDR;
// 0 when there is none.
int InitFromSysinfoEhdr(uintptr_t sysinfo_ehdr);

// InitForced is InitFromSysinfoEhdr and runtime_forceRoute in one step, so that
// a route that is forced away is not tried before.
// Errors: as runtime_forceRoute. Returns 0.
int InitForced(uintptr_t sysinfo_ehdr, int route);

// InitState is what the last initialisation was told and found. With RouteLock.
// All zero at first, without a constructor: that would run after the program's
// earliest ones.
struct InitState {
  uintptr_t sysinfo_ehdr;
  int forced;
  CandidateList list;
  int verification[kMaxRoutes];  // of the candidates
  uint32_t rejections;           // since the process began
  uintptr_t load_start;          // of the vDSO: as in vdsoSymbols
  uintptr_t load_end;
  uintptr_t text_start;
  uintptr_t text_end;
  bool is_gnu_hash;
};
const InitState& LastInit();

}  // namespace runtime

#endif  // RUNTIME_TIME_INIT_H_
