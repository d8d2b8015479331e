// A program's start without a C library, 386. start_linux_amd64.S explains;
// this one differs in:
//
//             _start (System V i386 ABI,          C function (the same ABI)
//             "Process Initialization")
//   arguments the stack                           the stack, 4(%esp) and up
//   result    none: it never returns              eax
//   sp        a multiple of 16                    less 4, the return
//   thread    gs is 0: set_thread_area(2) makes a descriptor, gs selects it
//
// Stack of nolibc_set_thread_pointer, struct user_desc of <asm/ldt.h> with the
// saved register above it:
//
//   esp + 24  thread_pointer
//   esp + 20  return address
//   esp + 16  ebx
//   esp + 12  flags
//   esp + 8   limit
//   esp + 4   base_addr
//   esp + 0   entry_number      <- the system call's argument, and its answer
//
// Register plan: ebx = the descriptor; eax = the stack pointer at entry.

#ifndef __i386__
#error "this file is for 386"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"

// seg_32bit, limit_in_pages and useable of struct user_desc.
#define DESC_FLAGS ((1 << 0) | (1 << 4) | (1 << 6))

// void _start(void), from the kernel
ENTRY(_start)
    .cfi_undefined eip
    xorl    %ebp, %ebp
    movl    %esp, %eax
    andl    $-16, %esp
    subl    $12, %esp
    pushl   %eax
    call    nolibc_main
    ud2
END(_start)

// intptr_t nolibc_set_thread_pointer(uintptr_t thread_pointer)
HIDDEN_ENTRY(nolibc_set_thread_pointer)
    pushl   %ebx
    .cfi_adjust_cfa_offset 4
    .cfi_offset ebx, -8
    movl    8(%esp), %eax           // thread_pointer
    pushl   $DESC_FLAGS
    .cfi_adjust_cfa_offset 4
    pushl   $0xfffff                // limit, in pages: all memory
    .cfi_adjust_cfa_offset 4
    pushl   %eax                    // base_addr
    .cfi_adjust_cfa_offset 4
    pushl   $-1                     // entry_number: one that is free
    .cfi_adjust_cfa_offset 4
    movl    %esp, %ebx
    movl    $__NR_set_thread_area, %eax
    int     $0x80
    testl   %eax, %eax
    jnz     .Lfailed
    movl    (%esp), %ecx            // entry_number
    leal    3(, %ecx, 8), %ecx      // selector: index, GDT, privilege 3
    movw    %cx, %gs
.Lfailed:
    addl    $16, %esp
    .cfi_adjust_cfa_offset -16
    popl    %ebx
    .cfi_adjust_cfa_offset -4
    .cfi_restore ebx
    ret
END(nolibc_set_thread_pointer)
