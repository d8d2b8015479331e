// Raw traps, amd64. This is the explained one; the other arches say what differs.
//
//             C function (System V ABI)       system call (man 2 syscall)
//   number                                    rax
//   arguments rdi rsi rdx rcx r8              rdi rsi rdx r10
//   result    rax                             rax: value, or -errno
//   kept      rbx rbp r12-r15 rsp             all but rax, rcx, r11
//   trap                                      syscall
//
// Stack: the return address alone; no function here has a frame.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"

// intptr_t runtime_syscall(intptr_t number, intptr_t arg0, ..., intptr_t arg3)
HIDDEN_ENTRY(runtime_syscall)
    movq    %rdi, %rax  // number
    movq    %rsi, %rdi
    movq    %rdx, %rsi
    movq    %rcx, %rdx
    movq    %r8, %r10
    syscall
    ret
END(runtime_syscall)

// int runtime_sysClockGettime(int32_t clockid, KernelTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime)
    movl    $__NR_clock_gettime, %eax
    syscall             // rdi = clockid, rsi = ts, as they came
    ret
END(runtime_sysClockGettime)
