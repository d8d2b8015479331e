#include "runtime/sys/process.h"

#include <asm/unistd.h>
#include <errno.h>
#include <linux/prctl.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

constexpr intptr_t kNoOption = 0x7fffffff;

intptr_t Prctl(intptr_t option, void* result = nullptr) {
  return runtime_syscall(__NR_prctl, option, reinterpret_cast<intptr_t>(result),
                         0, 0);
}

// KernelAnswers tells whether what is said about options that are known and
// unknown is what a kernel would say.
bool KernelAnswers() {
  return Prctl(kNoOption) == -EINVAL && Prctl(PR_GET_DUMPABLE) >= 0;
}

}  // namespace

Process AskProcess() {
  if (!KernelAnswers()) return {true, Process::Counter::kUnknown};
  // Errors now mean a kernel, or an arch, that has no such thing.
  const bool filtered = Prctl(PR_GET_SECCOMP) > 0;
  int mode = PR_TSC_ENABLE;
  Prctl(PR_GET_TSC, &mode);
  return {filtered, mode == PR_TSC_ENABLE ? Process::Counter::kAllowed
                                          : Process::Counter::kForbidden};
}

}  // namespace runtime
