// Raw traps, arm64. sys_linux_amd64.S explains; this one differs in:
//
//             C function (AAPCS64)            system call (man 2 syscall)
//   number                                    x8
//   arguments x0-x4                           x0-x3
//   result    x0                              x0: value, or -errno
//   kept      x19-x29 sp                      all but x0
//   trap                                      svc #0

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"

// intptr_t runtime_syscall(intptr_t number, intptr_t arg0, ..., intptr_t arg3)
HIDDEN_ENTRY(runtime_syscall)
    mov     x8, x0  // number
    mov     x0, x1
    mov     x1, x2
    mov     x2, x3
    mov     x3, x4
    svc     #0
    ret
END(runtime_syscall)

// int runtime_sysClockGettime(int32_t clockid, KernelTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime)
    mov     x8, #__NR_clock_gettime
    svc     #0      // x0 = clockid, x1 = ts, as they came
    ret
END(runtime_sysClockGettime)
