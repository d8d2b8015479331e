#include "tools/clockinfo/advice.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace runtime {
namespace {

// Clocksources that the vDSO reads. Source: arch/x86/kernel/tsc.c, kvmclock.c,
// drivers/clocksource/hyperv_timer.c, arm_arch_timer.c (vdso_clock_mode).
constexpr const char* kVdsoClocksources[] = {"tsc",
                                             "tsc-early",
                                             "kvm-clock",
                                             "xen",
                                             "hyperv_clocksource_tsc_page",
                                             "arch_sys_counter"};

bool IsVdsoClocksource(const std::string& name) {
  return std::any_of(std::begin(kVdsoClocksources), std::end(kVdsoClocksources),
                     [&name](const char* good) { return name == good; });
}

// HasParameter looks for a word of the kernel's command line.
bool HasParameter(const Facts& facts, absl::string_view parameter) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(facts.command_line, ' ');
  return std::find(words.begin(), words.end(), parameter) != words.end();
}

const runtime_RouteInfo* VdsoRoute(const Facts& facts) {
  for (int i = 0; i < facts.info.route_count; ++i) {
    if (facts.info.routes[i].kind == RUNTIME_ROUTE_VDSO) {
      return &facts.info.routes[i];
    }
  }
  return nullptr;
}

Advice NoVdso(const Facts& facts) {
  for (const char* parameter : {"vdso=0", "vdso32=0"}) {
    if (HasParameter(facts, parameter)) {
      return {absl::StrCat("The kernel was booted with ", parameter,
                           ", so each reading is a system call."),
              absl::StrCat("Boot without ", parameter, ".")};
    }
  }
  if (facts.has_sysinfo_ehdr) {
    return {
        "The kernel offers a vDSO, but none whose clock_gettime can be used.",
        "On arm this means a counter that the kernel does not trust (see "
        "dmesg for arch_timer); elsewhere, please report the kernel's "
        "version."};
  }
  return {
      "The kernel offers this process no vDSO, so each reading is a system "
      "call.",
      "Look at what runs this process: emulators, tracers and sandboxes hide "
      "it."};
}

Advice BadClocksource(const Facts& facts) {
  std::vector<std::string> good;
  std::copy_if(facts.available_clocksources.begin(),
               facts.available_clocksources.end(), std::back_inserter(good),
               IsVdsoClocksource);
  const std::string what = absl::StrCat(
      "The clocksource is ", facts.clocksource,
      ", which the vDSO cannot read: each reading is a system call",
      facts.clocksource == "jiffies" || facts.clocksource == "refined-jiffies"
          ? ", and the time moves only with the kernel's tick."
          : ".");
  if (!good.empty()) {
    return {what, absl::StrCat(
                      "As root: echo ", good.front(),
                      " > /sys/devices/system/clocksource/clocksource0/"
                      "current_clocksource; and look for clocksource= or tsc= "
                      "among the kernel's parameters.")};
  }
  return {what, absl::StrCat(
                    "None that it can read is available (",
                    absl::StrJoin(facts.available_clocksources, ", "),
                    "). dmesg | grep -i -e tsc -e clocksource tells why",
                    facts.hypervisor.empty()
                        ? "."
                        : "; the hypervisor may have to be told to offer its "
                          "guests a stable TSC.")};
}

// OfTheVdso is about a vDSO that is there and not used.
void OfTheVdso(const Facts& facts, const runtime_RouteInfo& vdso,
               std::vector<Advice>* advice) {
  if (facts.info.forced == RUNTIME_ROUTE_SYSCALL) {
    advice->push_back({"The syscall is forced: the vDSO is not used.",
                       "Unset RUNTIME_TIME_ROUTE, or do not call "
                       "runtime_forceRoute."});
  } else if (vdso.verification == RUNTIME_VERIFY_FORBIDDEN) {
    advice->push_back({facts.counter_forbidden
                           ? "This process may not read the counter "
                             "(PR_SET_TSC), so the vDSO "
                             "would crash."
                           : "A sandbox hides whether the counter may be read, "
                             "so the vDSO is "
                             "not used.",
                       facts.counter_forbidden
                           ? "Find who calls prctl(PR_SET_TSC, PR_TSC_SIGSEGV)."
                           : "Let prctl(PR_GET_TSC) through, or set "
                             "RUNTIME_TIME_ROUTE=vdso."});
  } else if (vdso.verification == RUNTIME_VERIFY_LIED ||
             vdso.verification == RUNTIME_VERIFY_FAILED) {
    advice->push_back(
        {vdso.verification == RUNTIME_VERIFY_LIED
             ? "The vDSO tells another time than the kernel, and "
               "is not used."
             : "The vDSO fails to read the clock, and is not used.",
         "Update the kernel; please report its version."});
  }
}

}  // namespace

bool HasVdsoClocksource(const Facts& facts) {
  return facts.clocksource.empty() || IsVdsoClocksource(facts.clocksource);
}

std::vector<Advice> Advise(const Facts& facts) {
  std::vector<Advice> advice;
  const runtime_RouteInfo* const vdso = VdsoRoute(facts);
  if (vdso == nullptr) {
    advice.push_back(NoVdso(facts));
  } else {
    OfTheVdso(facts, *vdso, &advice);
  }
  if (!HasVdsoClocksource(facts)) {
    advice.push_back(BadClocksource(facts));
  } else if (vdso != nullptr && advice.empty() && facts.FallsBack()) {
    advice.push_back(
        {"The vDSO makes a system call for a clock that it could read itself.",
         facts.hypervisor.empty()
             ? "dmesg | grep -i clocksource may tell why; on arm64, an erratum "
               "of the timer."
             : absl::StrCat("The hypervisor (", facts.hypervisor,
                            ") may offer no clock that user space can read.")});
  }
  if (facts.info.demotions > 0) {
    advice.push_back(
        {"A route kept failing while reading, and was given up.",
         "See failures below; please report the kernel's version."});
  }
  if (vdso != nullptr && facts.seccomp_filter &&
      vdso->verification == RUNTIME_VERIFY_NONE &&
      facts.info.forced == RUNTIME_ROUTE_AUTO) {
    advice.push_back(
        {"Under a seccomp filter the vDSO was not held against the "
         "kernel.",
         "Nothing, if all is well; runtime_timeVerify does it."});
  }
  if (vdso != nullptr && vdso->state == RUNTIME_STATE_IN_USE &&
      facts.info.pairing == RUNTIME_PAIR_TWICE) {
    advice.push_back(
        {"runtime_now reads two clocks one after the other: the "
         "coarse clocks are dear or never hold still.",
         "Nothing; this is so in gVisor and under emulators."});
  }
  if (facts.bounds_error == 0 && facts.bounds.synchronized == 0) {
    advice.push_back(
        {"Nobody disciplines the wall clock: how far it is off is "
         "not known.",
         "Run an NTP or PTP client (chrony, ntpd, "
         "systemd-timesyncd), here or on the host."});
  }
  return advice;
}

}  // namespace runtime
