// What there is to know of a machine's clocks. The reports and the advice are
// made of this alone.

#ifndef TOOLS_CLOCKINFO_FACTS_H_
#define TOOLS_CLOCKINFO_FACTS_H_

#include <stdint.h>

#include <string>
#include <vector>

#include "runtime/time/bounds.h"
#include "runtime/time/info.h"

namespace runtime {

// UserSpace tells whether readings of a clock stay there.
enum class UserSpace { kYes, kNo, kUnknown };

// Cost is what a reading costs by one route. Units: nanoseconds.
struct Cost {
  int kind;  // RUNTIME_ROUTE_*
  std::vector<double> samples;

  double Min() const;
  double Percentile(double percent) const;  // 0 < percent <= 100
};

// ClockFacts are about one clock.
struct ClockFacts {
  const char* name;
  int32_t clockid;
  bool vdso_serves;  // where a vDSO can
  UserSpace user_space = UserSpace::kUnknown;
  int64_t resolution_ns = 0;
  int error = 0;  // of reading it: a negative errno
  std::vector<Cost> costs = {};
};

// Facts are about all of them. Texts are as the kernel gives them, "" where it
// does not.
struct Facts {
  runtime_TimeInfo info = {};
  bool has_sysinfo_ehdr = false;
  std::string kernel_release;
  std::string command_line;  // of the kernel
  std::string clocksource;
  std::vector<std::string> available_clocksources;
  std::string hypervisor;
  std::string timens_offsets;  // "monotonic 0 0, boottime 0 0"
  bool in_time_namespace = false;
  bool seccomp_filter = false;
  bool counter_forbidden = false;  // PR_SET_TSC
  runtime_WalltimeBounds bounds = {};
  int bounds_error = 0;
  double counter_ns = 0;  // a raw read of the counter; 0: it may not be read
  bool interrupted = false;
  std::vector<ClockFacts> clocks;

  // FallsBack tells whether a clock that a vDSO can serve is read by a system
  // call.
  bool FallsBack() const;
};

}  // namespace runtime

#endif  // TOOLS_CLOCKINFO_FACTS_H_
