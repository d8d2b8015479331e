#include "runtime/sys/kernel_release.h"

#include <asm/unistd.h>
#include <linux/utsname.h>
#include <stdint.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr unsigned kFirstMajor = 5;
constexpr unsigned kFirstMinor = 1;

// ParseNumber reads at most four digits and moves *text behind them.
bool ParseNumber(const char** text, unsigned* number) {
  const char* const start = *text;
  *number = 0;
  for (; **text >= '0' && **text <= '9' && *text - start < 4; ++*text) {
    *number = *number * 10 + static_cast<unsigned>(**text - '0');
  }
  return *text != start;
}

}  // namespace

HasTime64 ReleaseHasTime64(const char* release) {
  unsigned major, minor;
  if (!ParseNumber(&release, &major)) return HasTime64::kUnknown;
  if (*release++ != '.') return HasTime64::kUnknown;
  if (!ParseNumber(&release, &minor)) return HasTime64::kUnknown;
  const bool has =
      major > kFirstMajor || (major == kFirstMajor && minor >= kFirstMinor);
  return has ? HasTime64::kYes : HasTime64::kNo;
}

HasTime64 KernelHasTime64() {
  new_utsname name;
  name.release[0] = '\0';  // for a sandbox that says yes and writes nothing
  if (runtime_syscall(__NR_uname, reinterpret_cast<intptr_t>(&name), 0, 0, 0) !=
      0) {
    return HasTime64::kUnknown;
  }
  return ReleaseHasTime64(name.release);
}

}  // namespace runtime
