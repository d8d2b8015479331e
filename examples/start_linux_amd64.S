// A program's start without a C library, amd64. This is the explained one; the
// other arches say what differs.
//
//             _start (System V ABI, x86-64        C function (the same ABI)
//             psABI 3.4, "Process Initialization")
//   arguments the stack                           rdi
//   result    none: it never returns              rax
//   sp        a multiple of 16                    less 8, the return
//   thread    fs base is 0; arch_prctl(2) sets it
//
// Stack at entry; it stays where it is, since nothing ever returns to here:
//
//   rsp + ..   auxiliary vector, AT_NULL
//   rsp + ..   envp, null
//   rsp + 8    argv, null
//   rsp + 0    argc             <- nolibc_main's argument
//
// Register plan: rdi = the stack pointer at entry. rbp = 0 ends the chain of
// frame pointers, and an undefined return address ends the unwinders' way.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include <asm/prctl.h>
#include <asm/unistd.h>

#include "runtime/sys/asm.h"

// void _start(void), from the kernel
ENTRY(_start)
    .cfi_undefined rip
    xorl    %ebp, %ebp
    movq    %rsp, %rdi
    andq    $-16, %rsp
    call    nolibc_main
    ud2
END(_start)

// intptr_t nolibc_set_thread_pointer(uintptr_t thread_pointer)
HIDDEN_ENTRY(nolibc_set_thread_pointer)
    movq    %rdi, %rsi
    movl    $ARCH_SET_FS, %edi
    movl    $__NR_arch_prctl, %eax
    syscall
    ret
END(nolibc_set_thread_pointer)
