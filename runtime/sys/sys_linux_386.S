// Raw traps, 386. sys_linux_amd64.S explains; this one differs in:
//
//             C function (System V i386 ABI)  system call (man 2 syscall)
//   number                                    eax
//   arguments the stack, 4(%esp) and up       ebx ecx edx esi
//   result    eax                             eax: value, or -errno
//   kept      ebx esi edi ebp esp             all but eax
//   trap                                      call *runtime_sysVsyscall
//
// int $0x80 costs ten to twenty times as much as the sysenter or syscall behind
// __kernel_vsyscall, so the trap goes through a pointer. It starts at int $0x80
// and is set to __kernel_vsyscall once the vDSO is found.
//
// Position-independent code reaches data through a register, and the system call
// wants them all, so the trap's address waits on the stack:
//
//   esp + 16  arguments      (two saved registers, then the return address)
//   esp + 12  return address
//   esp + 8   ebx
//   esp + 4   esi
//   esp + 0   the trap's address

#ifndef __i386__
#error "this file is for 386"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"
#include "runtime/sys/seal_page.h"

// TRAP_PROLOGUE saves what the system call's arguments need and leaves the
// trap's address on the stack.
.macro TRAP_PROLOGUE
    pushl   %ebx
    .cfi_adjust_cfa_offset 4
    .cfi_offset ebx, -8
    pushl   %esi
    .cfi_adjust_cfa_offset 4
    .cfi_offset esi, -12
    call    runtime_sysGetPC
    addl    $_GLOBAL_OFFSET_TABLE_, %ecx
    pushl   runtime_sysVsyscall@GOTOFF(%ecx)
    .cfi_adjust_cfa_offset 4
.endm

.macro TRAP_EPILOGUE
    call    *(%esp)
    addl    $4, %esp
    .cfi_adjust_cfa_offset -4
    popl    %esi
    .cfi_adjust_cfa_offset -4
    .cfi_restore esi
    popl    %ebx
    .cfi_adjust_cfa_offset -4
    .cfi_restore ebx
    ret
.endm

// runtime_sysGetPC returns its return address in ecx, and keeps the others.
HIDDEN_ENTRY(runtime_sysGetPC)
    movl    (%esp), %ecx
    ret
END(runtime_sysGetPC)

// void runtime_sysInt80(void), in the kernel's registers
HIDDEN_ENTRY(runtime_sysInt80)
    int     $0x80
    ret
END(runtime_sysInt80)

// intptr_t runtime_syscall(intptr_t number, intptr_t arg0, ..., intptr_t arg3)
HIDDEN_ENTRY(runtime_syscall)
    TRAP_PROLOGUE
    movl    16(%esp), %eax  // number
    movl    20(%esp), %ebx
    movl    24(%esp), %ecx
    movl    28(%esp), %edx
    movl    32(%esp), %esi
    TRAP_EPILOGUE
END(runtime_syscall)

// intptr_t runtime_int80Syscall(intptr_t number, intptr_t arg0, ..., intptr_t arg3)
HIDDEN_ENTRY(runtime_int80Syscall)
    pushl   %ebx
    .cfi_adjust_cfa_offset 4
    .cfi_offset ebx, -8
    pushl   %esi
    .cfi_adjust_cfa_offset 4
    .cfi_offset esi, -12
    movl    12(%esp), %eax  // number
    movl    16(%esp), %ebx
    movl    20(%esp), %ecx
    movl    24(%esp), %edx
    movl    28(%esp), %esi
    int     $0x80
    popl    %esi
    .cfi_adjust_cfa_offset -4
    .cfi_restore esi
    popl    %ebx
    .cfi_adjust_cfa_offset -4
    .cfi_restore ebx
    ret
END(runtime_int80Syscall)

// int runtime_sysClockGettime(int32_t clockid, OldTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime)
    TRAP_PROLOGUE
    movl    $__NR_clock_gettime, %eax
    movl    16(%esp), %ebx  // clockid
    movl    20(%esp), %ecx  // ts
    TRAP_EPILOGUE
END(runtime_sysClockGettime)

// int runtime_sysClockGettime64(int32_t clockid, KernelTimespec* ts)
HIDDEN_ENTRY(runtime_sysClockGettime64)
    TRAP_PROLOGUE
    movl    $__NR_clock_gettime64, %eax
    movl    16(%esp), %ebx
    movl    20(%esp), %ecx
    TRAP_EPILOGUE
END(runtime_sysClockGettime64)

// Alone on its page; vsyscall_linux_386.cc seals it.
.section .data.rel.local, "aw", @progbits
.balign RUNTIME_SEAL_ALIGN
.hidden runtime_sysVsyscall
.globl  runtime_sysVsyscall
.type   runtime_sysVsyscall, @object
.size   runtime_sysVsyscall, 4
runtime_sysVsyscall:
    .long   runtime_sysInt80
    .balign 8
    .hidden runtime_sysVsyscallScratch
    .globl  runtime_sysVsyscallScratch
    .type   runtime_sysVsyscallScratch, @object
    .size   runtime_sysVsyscallScratch, 8
runtime_sysVsyscallScratch:
    .quad   0
    .balign RUNTIME_SEAL_ALIGN
