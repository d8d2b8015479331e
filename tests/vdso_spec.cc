// What this arch's kernels offer. Source: vdso(7) and the kernels' linker
// scripts, not the loader's tables.

#include <iterator>

#include "tests/vdso_image.h"

namespace runtime {
namespace {

#if defined(__x86_64__)
constexpr const char* kVersions[] = {"LINUX_2.6"};
constexpr const char* kClocks[][2] = {{"__vdso_clock_gettime", "LINUX_2.6"}};
#elif defined(__i386__)
constexpr const char* kVersions[] = {"LINUX_2.6", "LINUX_2.5"};
constexpr const char* kClocks[][2] = {
    {"__vdso_clock_gettime", "LINUX_2.6"},
    {"__vdso_clock_gettime64", "LINUX_2.6"},
    {"__kernel_vsyscall", "LINUX_2.5"},
};
#elif defined(__aarch64__)
constexpr const char* kVersions[] = {"LINUX_2.6.39"};
constexpr const char* kClocks[][2] = {
    {"__kernel_clock_gettime", "LINUX_2.6.39"}};
#elif defined(__arm__)
constexpr const char* kVersions[] = {"LINUX_2.6"};
constexpr const char* kClocks[][2] = {
    {"__vdso_clock_gettime", "LINUX_2.6"},
    {"__vdso_clock_gettime64", "LINUX_2.6"},
};
#endif

// Company on the hash chains.
constexpr const char* kOthers[] = {
    "__vdso_gettimeofday", "__vdso_clock_getres", "__vdso_time",
    "__vdso_getcpu",       "__vdso_getrandom",    "clock_gettime",
};

}  // namespace

VdsoSpec StandardVdso() {
  VdsoSpec spec;
  spec.versions.assign(std::begin(kVersions), std::end(kVersions));
  uintptr_t offset = kVdsoText + 0x10;
  const auto add = [&spec, &offset](const char* name, const char* version) {
    VdsoSymbol symbol;
    symbol.name = name;
    symbol.version = version;
    symbol.offset = offset;
    spec.symbols.push_back(symbol);
    offset += 0x10;
  };
  for (const char* name : kOthers) add(name, kVersions[0]);
  for (const auto& clock : kClocks) add(clock[0], clock[1]);
  return spec;
}

}  // namespace runtime
