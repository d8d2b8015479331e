// A program's start without a C library, arm. start_linux_amd64.S explains;
// this one differs in:
//
//             _start (Linux, ELF_PLAT_INIT)       C function (AAPCS)
//   arguments the stack                           r0
//   result    none: it never returns              r0
//   sp        a multiple of 8                     a multiple of 8
//   thread    TPIDRURO is 0; __ARM_NR_set_tls sets it
//
// Stack at entry: as there, in words of 4 bytes. nolibc_set_thread_pointer:
//
//   sp + 4    the caller's r7
//   sp + 0    r4, stored only to keep sp 8-byte aligned
//
// Register plan: r0 = the stack pointer at entry. r11 = 0 ends the chain of
// frame pointers, and .cantunwind the unwinders' way.

#ifndef __arm__
#error "this file is for arm"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"

// void _start(void), from the kernel
ENTRY(_start)
    .cantunwind
    .cfi_undefined lr
    mov     r11, #0
    mov     lr, #0
    mov     r0, sp
    bic     r1, r0, #7
    mov     sp, r1
    bl      nolibc_main
    udf     #0
END(_start)

// intptr_t nolibc_set_thread_pointer(uintptr_t thread_pointer)
HIDDEN_ENTRY(nolibc_set_thread_pointer)
    push    {r4, r7}
    .save   {r4, r7}
    .cfi_def_cfa_offset 8
    .cfi_offset r4, -8
    .cfi_offset r7, -4
    ldr     r7, .Lset_tls
    svc     #0
    pop     {r4, r7}
    .cfi_def_cfa_offset 0
    .cfi_restore r4
    .cfi_restore r7
    bx      lr
.Lset_tls:
    .word   __ARM_NR_set_tls        // too long for movw
END(nolibc_set_thread_pointer)
