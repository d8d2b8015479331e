// Candidates: the routes that an arch and a vDSO offer, in order of preference.

#ifndef RUNTIME_TIME_CANDIDATES_H_
#define RUNTIME_TIME_CANDIDATES_H_

#include <stdint.h>

#include "runtime/sys/sys.h"
#include "runtime/time/route.h"
#include "runtime/vdso/vdso_linux.h"

namespace runtime {

// RouteCandidate is a route, and what there is to say of it.
struct RouteCandidate {
  Route route;
  int kind;
  const char* symbol;
  const char* version;
  uintptr_t address;
};

// CandidateList holds the vDSO's routes, then the traps.
struct CandidateList {
  RouteCandidate candidates[kMaxRoutes];  // up to size
  int size;

  // Field by field: compilers call memset and memcpy for whole ones.
  void Add(Route route, int kind, const char* symbol, const char* version,
           uintptr_t address) {
    RouteCandidate& candidate = candidates[size++];
    candidate.route = route;
    candidate.kind = kind;
    candidate.symbol = symbol;
    candidate.version = version;
    candidate.address = address;
  }
};

// FindVdsoRoutes appends the routes that the vDSO has.
void FindVdsoRoutes(const vdsoSymbols& syms, CandidateList* list);

// BindVdsoRoutes points the adapters among them at the vDSO. With the lock, and
// the page open.
void BindVdsoRoutes(const vdsoSymbols& syms);

// FindTraps appends the traps that this kernel has. filtered: a seccomp filter
// stands over the process.
void FindTraps(bool filtered, CandidateList* list);

// IsTrap tells whether a route is one of this arch's traps.
bool IsTrap(Route route);

#ifdef __LP64__

// kTraps is the order before initialisation.
inline constexpr RouteList kTraps = {{runtime_sysClockGettime}};
inline constexpr Route kLastTrap = runtime_sysClockGettime;

#else

// SyscallOldClockGettime is runtime_sysClockGettime, widened to 64 bits.
int SyscallOldClockGettime(int32_t clockid, KernelTimespec* ts);

// SyscallNewClockGettime is runtime_sysClockGettime64 on kernels that may have
// it, and -ENOSYS on others. It asks at every reading. Stack: under 512 bytes.
int SyscallNewClockGettime(int32_t clockid, KernelTimespec* ts);

// kTraps is the order before initialisation.
inline constexpr RouteList kTraps = {
    {SyscallNewClockGettime, SyscallOldClockGettime}};
inline constexpr Route kLastTrap = SyscallOldClockGettime;

#endif

}  // namespace runtime

#endif  // RUNTIME_TIME_CANDIDATES_H_
