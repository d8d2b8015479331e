// A program's start without a C library, arm64. start_linux_amd64.S explains;
// this one differs in:
//
//             _start (Linux, ELF_PLAT_INIT)       C function (AAPCS64)
//   arguments the stack                           x0
//   result    none: it never returns              x0
//   sp        a multiple of 16                    a multiple of 16
//   thread    TPIDR_EL0 is 0; the program may write it
//
// Stack at entry: as there.
//
// Register plan: x0 = the stack pointer at entry. x29 = 0 ends the chain of
// frame pointers, and an undefined return address ends the unwinders' way.

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include "runtime/sys/asm.h"

// void _start(void), from the kernel
ENTRY(_start)
    .cfi_undefined x30
    mov     x29, #0
    mov     x30, #0
    mov     x0, sp
    and     x1, x0, #-16
    mov     sp, x1
    bl      nolibc_main
    udf     #0
END(_start)

// intptr_t nolibc_set_thread_pointer(uintptr_t thread_pointer)
HIDDEN_ENTRY(nolibc_set_thread_pointer)
    msr     tpidr_el0, x0
    mov     x0, #0
    ret
END(nolibc_set_thread_pointer)
