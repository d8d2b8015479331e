#include "runtime/sys/process.h"

#include <asm/unistd.h>
#include <errno.h>
#include <linux/prctl.h>

#include "runtime/sys/sys.h"

namespace runtime {

bool SyscallsAreFiltered() {
  // EINVAL: a kernel without seccomp. Any other error is itself a filter's.
  const intptr_t mode = runtime_syscall(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0);
  return mode != 0 && mode != -EINVAL;
}

bool CounterIsForbidden() {
  int mode = PR_TSC_ENABLE;
  // Errors mean that this arch or kernel cannot forbid it.
  runtime_syscall(__NR_prctl, PR_GET_TSC, reinterpret_cast<intptr_t>(&mode), 0,
                  0);
  return mode == PR_TSC_SIGSEGV;
}

}  // namespace runtime
