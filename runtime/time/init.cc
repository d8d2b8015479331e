// Initialisation: the auxiliary vector, to the vDSO, to the routes.

#include "runtime/time/init.h"

#include <elf.h>
#include <errno.h>

#include <type_traits>

#include "runtime/sys/auxv.h"
#include "runtime/sys/process.h"
#include "runtime/sys/vsyscall.h"
#include "runtime/time/pair.h"
#include "runtime/time/time.h"
#include "runtime/time/verify.h"

namespace runtime {
namespace {

InitState state;
static_assert(std::is_trivially_default_constructible<InitState>::value,
              "see init.h");

// Update is the lock, and the routes open for writing. The way into the kernel
// that leads through the vDSO is closed first: the vDSO may have moved.
class Update {
 public:
  Update()
      : locked_(RouteLock()->Lock()),
        open_(locked_ && OpenRoutes()),
        ok_(open_ && OpenVsyscall()) {}
  ~Update() {
    if (ok_) CloseVsyscall();
    if (open_) CloseRoutes();
    if (locked_) RouteLock()->Unlock();
  }
  Update(const Update&) = delete;
  Update& operator=(const Update&) = delete;

  bool ok() const { return ok_; }

 private:
  bool locked_;
  bool open_;
  bool ok_;
};

int UsesVdso() {
  return IsTrap(runtime_route.in_use.load(std::memory_order_relaxed)) ? 0 : 1;
}

bool IsAccepted(int verification) {
  return verification == RUNTIME_VERIFY_NONE ||
         verification == RUNTIME_VERIFY_HELD;
}

uintptr_t VsyscallOf(const vdsoSymbols& syms) {
#ifdef __i386__
  return syms.vdsoKernelVsyscallSym;
#else
  static_cast<void>(syms);
  return 0;
#endif
}

// Remember keeps what there was to find, for runtime_timeInfo.
void Remember(const vdsoSymbols& syms, const CandidateList& list) {
  state.load_start = syms.vdsoLoadStart;
  state.load_end = syms.vdsoLoadEnd;
  state.text_start = syms.vdsoTextStart;
  state.text_end = syms.vdsoTextEnd;
  state.is_gnu_hash = syms.vdsoIsGNUHash;
  state.list.size = 0;
  for (int i = 0; i < list.size; ++i) {
    const RouteCandidate& c = list.candidates[i];
    state.list.Add(c.route, c.kind, c.symbol, c.version, c.address);
  }
}

// Apply finds, verifies and stores the routes. trust_filter: call the traps
// although a filter could end the process for it. With an Update.
// Errors: -ENOENT, and the routes unchanged, when route is the vDSO and there
// is none that could be called.
int Apply(uintptr_t sysinfo_ehdr, int route, bool trust_filter) {
  using Counter = Process::Counter;
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, sysinfo_ehdr, &syms);
  StoreVsyscall(VsyscallOf(syms));
  const Process process = AskProcess();

  CandidateList list;
  list.size = 0;
  FindVdsoRoutes(syms, &list);
  const int vdso_size = list.size;
  if (route == RUNTIME_ROUTE_VDSO &&
      (vdso_size == 0 || process.counter == Counter::kForbidden)) {
    return -ENOENT;
  }
  BindVdsoRoutes(syms);
  FindTraps(process.filtered, &list);
  Remember(syms, list);
  state.sysinfo_ehdr = sysinfo_ehdr;
  state.forced = route;

  const Route trusted = process.filtered && !trust_filter
                            ? nullptr
                            : list.candidates[vdso_size].route;
  RouteList order;  // not cleared: that may be a call of memset
  int size = 0;
  for (int i = 0; i < list.size; ++i) {
    const RouteCandidate& candidate = list.candidates[i];
    int verification = RUNTIME_VERIFY_NONE;
    bool use = route == RUNTIME_ROUTE_AUTO || route == candidate.kind;
    if (route == RUNTIME_ROUTE_AUTO && candidate.kind == RUNTIME_ROUTE_VDSO) {
      verification = process.counter != Counter::kAllowed
                         ? RUNTIME_VERIFY_FORBIDDEN
                         : VerifyRoute(candidate.route, trusted);
      use = IsAccepted(verification);
      if (!use) ++state.rejections;
    }
    state.verification[i] = verification;
    if (use) order.routes[size++] = candidate.route;
  }
  if (size < kMaxRoutes) order.routes[size] = nullptr;
  // A filter may kill for a coarse clock that the vDSO asks the kernel for. The
  // kernel's own does not; what has another (gVisor, User-mode Linux, an
  // emulator) links it to where it is loaded, or far above.
  const bool may_try = !process.filtered || trust_filter ||
                       syms.vdsoLoadOffset == syms.vdsoLoadStart;
  StoreRoutes(order, IsTrap(order.routes[0]) || !may_try
                         ? nullptr
                         : ChoosePairing(order.routes[0]));
  return 0;
}

// Init is Apply for what is forced, or, while that is not there, for what is.
void Init(uintptr_t sysinfo_ehdr) {
  const int forced = state.forced;
  if (Apply(sysinfo_ehdr, forced, false) != 0) {
    Apply(sysinfo_ehdr, RUNTIME_ROUTE_AUTO, false);
  }
  state.forced = forced;
}

// InitFromAuxv is Init, given the auxiliary vector, or nullptr.
void InitFromAuxv(const void* auxv) {
  const auto* entries = static_cast<const AuxvEntry*>(auxv);
  AuxvEntry proc[kMaxAuxvEntries];
  if (entries == nullptr) {
    ReadProcAuxv(proc);
    entries = proc;
  }
  Init(AuxvValue(entries, AT_SYSINFO_EHDR));
}

bool IsRoute(int route) {
  return route == RUNTIME_ROUTE_AUTO || route == RUNTIME_ROUTE_VDSO ||
         route == RUNTIME_ROUTE_SYSCALL;
}

}  // namespace

const InitState& LastInit() { return state; }

int InitFromSysinfoEhdr(uintptr_t sysinfo_ehdr) {
  const Update update;
  if (update.ok()) Init(sysinfo_ehdr);
  return UsesVdso();
}

int InitForced(uintptr_t sysinfo_ehdr, int route) {
  if (!IsRoute(route)) return -EINVAL;
  const Update update;
  return update.ok() ? Apply(sysinfo_ehdr, route, false) : -EBUSY;
}

}  // namespace runtime

int runtime_timeInit(const void* auxv) {
  const runtime::Update update;
  if (update.ok()) runtime::InitFromAuxv(auxv);
  return runtime::UsesVdso();
}

int runtime_timeInitFromStack(const void* stack) {
  const runtime::Update update;
  if (update.ok()) runtime::InitFromAuxv(runtime::AuxvFromStack(stack));
  return runtime::UsesVdso();
}

int runtime_forceRoute(int route) {
  if (!runtime::IsRoute(route)) return -EINVAL;
  const runtime::Update update;
  if (!update.ok()) return -EBUSY;
  return runtime::Apply(runtime::state.sysinfo_ehdr, route, false);
}

int runtime_timeVerify(void) {
  const runtime::Update update;
  if (update.ok() && runtime::state.forced == RUNTIME_ROUTE_AUTO) {
    runtime::Apply(runtime::state.sysinfo_ehdr, RUNTIME_ROUTE_AUTO, true);
  }
  return runtime::UsesVdso();
}
