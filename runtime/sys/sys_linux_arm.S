// Raw traps, arm. sys_linux_amd64.S explains; this one differs in:
//
//             C function (AAPCS)              system call (man 2 syscall, EABI)
//   number                                    r7
//   arguments r0-r3, then the stack           r0-r3
//   result    r0                              r0: value, or -errno
//   kept      r4-r11 sp                       all but r0
//   trap                                      svc #0
//
// r7 is callee-saved in C, so every function has a frame of 8 bytes for it:
//
//   sp + 8   arguments on the stack (runtime_syscall: arg3)
//   sp + 4   the caller's r7
//   sp + 0   r4, stored only to keep sp 8-byte aligned

#ifndef __arm__
#error "this file is for arm"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"

.macro TRAP_PROLOGUE
    push    {r4, r7}
    .save   {r4, r7}
    .cfi_def_cfa_offset 8
    .cfi_offset r4, -8
    .cfi_offset r7, -4
.endm

.macro TRAP_EPILOGUE
    svc     #0
    pop     {r4, r7}
    .cfi_def_cfa_offset 0
    .cfi_restore r4
    .cfi_restore r7
    bx      lr
.endm

// intptr_t runtime_syscall(intptr_t number, intptr_t arg0, ..., intptr_t arg3)
HIDDEN_ENTRY(runtime_syscall)
    TRAP_PROLOGUE
    mov     r7, r0        // number
    mov     r0, r1
    mov     r1, r2
    mov     r2, r3
    ldr     r3, [sp, #8]  // arg3
    TRAP_EPILOGUE
END(runtime_syscall)

// int runtime_sysClockGettime(int32_t clockid, OldTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime)
    TRAP_PROLOGUE
    movw    r7, #__NR_clock_gettime
    TRAP_EPILOGUE         // r0 = clockid, r1 = ts, as they came
END(runtime_sysClockGettime)

// int runtime_sysClockGettime64(int32_t clockid, KernelTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime64)
    TRAP_PROLOGUE
    movw    r7, #__NR_clock_gettime64
    TRAP_EPILOGUE
END(runtime_sysClockGettime64)
