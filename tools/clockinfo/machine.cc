#include "tools/clockinfo/machine.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/utsname.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <fstream>
#include <sstream>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace runtime {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::string(absl::StripAsciiWhitespace(text.str()));
}

// Hypervisor is what it calls itself. Source: Intel SDM, CPUID.1:ECX[31] is 0
// on hardware; the leaf 0x40000000 is a convention of hypervisors.
std::string Hypervisor() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned eax, ebx, ecx, edx;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx >> 31) == 0) {
    return "";
  }
  __cpuid(0x40000000, eax, ebx, ecx, edx);
  char name[13] = {};
  memcpy(name, &ebx, 4);
  memcpy(name + 4, &ecx, 4);
  memcpy(name + 8, &edx, 4);
  return name[0] != '\0' ? name : "unnamed";
#else
  const std::string xen = ReadFile("/sys/hypervisor/type");
  return xen.empty() ? ReadFile("/proc/device-tree/hypervisor/compatible")
                     : xen;
#endif
}

}  // namespace

void ParseTimensOffsets(absl::string_view text, Facts* facts) {
  std::vector<std::string> clocks;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words.size() != 3) continue;
    clocks.push_back(absl::StrJoin(words, " "));
    if (words[1] != "0" || words[2] != "0") facts->in_time_namespace = true;
  }
  facts->timens_offsets = absl::StrJoin(clocks, ", ");
}

void ParseClocksources(absl::string_view current, absl::string_view available,
                       Facts* facts) {
  facts->clocksource = std::string(absl::StripAsciiWhitespace(current));
  facts->available_clocksources = absl::StrSplit(
      absl::StripAsciiWhitespace(available), ' ', absl::SkipEmpty());
}

void GatherMachine(Facts* facts) {
  constexpr char kDirectory[] = "/sys/devices/system/clocksource/clocksource0/";
  runtime_timeInfo(&facts->info);
  facts->has_sysinfo_ehdr = getauxval(AT_SYSINFO_EHDR) != 0;
  utsname kernel;
  if (uname(&kernel) == 0) facts->kernel_release = kernel.release;
  facts->command_line = ReadFile("/proc/cmdline");
  ParseClocksources(ReadFile(std::string(kDirectory) + "current_clocksource"),
                    ReadFile(std::string(kDirectory) + "available_clocksource"),
                    facts);
  facts->hypervisor = Hypervisor();
  ParseTimensOffsets(ReadFile("/proc/self/timens_offsets"), facts);
  facts->seccomp_filter = prctl(PR_GET_SECCOMP) > 0;
  int tsc = PR_TSC_ENABLE;
  facts->counter_forbidden =
      prctl(PR_GET_TSC, &tsc) == 0 && tsc == PR_TSC_SIGSEGV;
  facts->bounds_error = runtime_walltimeBounds(&facts->bounds);
}

}  // namespace runtime
