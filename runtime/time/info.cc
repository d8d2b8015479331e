#include "runtime/time/info.h"

#include <asm/unistd.h>
#include <errno.h>

#include "runtime/time/init.h"
#include "runtime/time/pair.h"

namespace runtime {
namespace {

int HashTable(const InitState& init) {
  if (init.load_start == 0) return RUNTIME_HASH_NONE;
  return init.is_gnu_hash ? RUNTIME_HASH_GNU : RUNTIME_HASH_SYSV;
}

constexpr runtime_Syscall kSyscalls[] = {
#ifndef __LP64__
    {__NR_clock_gettime64, "clock_gettime64", "reading without the vDSO"},
    {__NR_clock_getres_time64, "clock_getres_time64", "runtime_clockResNs"},
    {__NR_clock_adjtime64, "clock_adjtime64", "runtime_walltimeBounds"},
#endif
    {__NR_clock_gettime, "clock_gettime", "reading without the vDSO"},
    {__NR_clock_getres, "clock_getres", "runtime_clockResNs"},
    {__NR_adjtimex, "adjtimex", "runtime_walltimeBounds"},
    {__NR_rt_sigprocmask, "rt_sigprocmask", "initialisation: what is mapped"},
    {__NR_mprotect, "mprotect", "initialisation, demotion: the sealed page"},
    {__NR_prctl, "prctl", "initialisation: PR_GET_SECCOMP, PR_GET_TSC"},
#ifndef __LP64__
    {__NR_uname, "uname", "initialisation: is there clock_gettime64?"},
#endif
    {__NR_gettid, "gettid", "initialisation, demotion: the lock"},
    {__NR_sigaltstack, "sigaltstack", "attaching: is there a signal stack?"},
    {__NR_getpid, "getpid", "two initialisations at once; the fatal hook"},
    {__NR_tgkill, "tgkill", "two initialisations at once; the fatal hook"},
#ifdef __NR_poll
    {__NR_poll, "poll", "two initialisations at once"},
#else
    {__NR_ppoll, "ppoll", "two initialisations at once"},
#endif
    {__NR_openat, "openat", "initialisation without an auxv"},
    {__NR_read, "read", "initialisation without an auxv"},
    {__NR_close, "close", "initialisation without an auxv"},
    {__NR_write, "write", "the fatal hook's message"},
};

}  // namespace
}  // namespace runtime

int runtime_timeInfo(runtime_TimeInfo* info) {
  if (!runtime::RouteLock()->Lock()) return -EBUSY;
  const runtime::InitState& init = runtime::LastInit();
  info->forced = init.forced;
  info->hash_table = runtime::HashTable(init);
  info->load_start = init.load_start;
  info->load_end = init.load_end;
  info->text_start = init.text_start;
  info->text_end = init.text_end;
  info->demotions = runtime::RouteDemotions();
  info->rejections = init.rejections;
  info->pairing = runtime::PairingKind();
  info->sealed = runtime::RoutesAreSealed() ? 1 : 0;
  info->route_count = init.list.size;
  for (int i = 0; i < init.list.size; ++i) {
    const runtime::RouteCandidate& candidate = init.list.candidates[i];
    runtime_RouteInfo& route = info->routes[i];
    route.kind = candidate.kind;
    route.symbol = candidate.symbol;
    route.version = candidate.version;
    route.address = candidate.address;
    route.verification = init.verification[i];
    route.failures = 0;
    route.state = runtime::RouteState(candidate.route, &route.failures);
  }
  runtime::RouteLock()->Unlock();
  return 0;
}

const runtime_Syscall* runtime_timeSyscalls(size_t* count) {
  *count = sizeof runtime::kSyscalls / sizeof runtime::kSyscalls[0];
  return runtime::kSyscalls;
}
