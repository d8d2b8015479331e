// The ABI checker's trampoline, amd64. This is the explained one.
//
// While the function under check runs, no register and no part of the stack can
// be relied on to find the AbiCall again, so a variable keeps it: abi_current.
//
// Words of saved_before and saved_after: rbx rbp r12 r13 r14 r15.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include "runtime/sys/asm.h"
#include "tests/abi_check.h"

// LOAD_SAVED and STORE_SAVED move the callee-saved registers; rcx = the AbiCall.
.macro LOAD_SAVED
    movq    call_saved_before + 0(%rcx), %rbx
    movq    call_saved_before + 8(%rcx), %rbp
    movq    call_saved_before + 16(%rcx), %r12
    movq    call_saved_before + 24(%rcx), %r13
    movq    call_saved_before + 32(%rcx), %r14
    movq    call_saved_before + 40(%rcx), %r15
.endm

.macro STORE_SAVED
    movq    %rbx, call_saved_after + 0(%rcx)
    movq    %rbp, call_saved_after + 8(%rcx)
    movq    %r12, call_saved_after + 16(%rcx)
    movq    %r13, call_saved_after + 24(%rcx)
    movq    %r14, call_saved_after + 32(%rcx)
    movq    %r15, call_saved_after + 40(%rcx)
.endm

// void abi_call(AbiCall* call)
ENTRY(abi_call)
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    subq    $8, %rsp                // a multiple of 16 at the call
    movq    %rdi, abi_current(%rip)
    movq    %rdi, %rcx
    movq    call_args + 0(%rcx), %rdi
    movq    call_args + 8(%rcx), %rsi
    movq    call_args + 16(%rcx), %rdx
    movq    %rsp, call_sp_before(%rcx)
    LOAD_SAVED
    call    *call_fn(%rcx)
    movq    abi_current(%rip), %rcx
    STORE_SAVED
    movq    %rax, call_result + 0(%rcx)
    movq    %rdx, call_result + 8(%rcx)
    movq    %rsp, call_sp_after(%rcx)
    movq    call_sp_before(%rcx), %rsp
    pushfq
    popq    call_flags(%rcx)
    cld
    addq    $8, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
    ret
END(abi_call)

// int abi_probe_route(int32_t clockid, KernelTimespec* ts)
ENTRY(abi_probe_route)
    movq    %rsp, abi_probe_sp(%rip)
    pushfq
    popq    abi_probe_flags(%rip)
    movq    abi_probe_time(%rip), %rax
    movq    %rax, (%rsi)
    movq    8 + abi_probe_time(%rip), %rax
    movq    %rax, 8(%rsi)
    pcmpeqd %xmm0, %xmm0
.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movdqa  %xmm0, %xmm\n
.endr
    movq    $-1, %rcx
.irp r, rdx, rsi, rdi, r8, r9, r10, r11
    movq    %rcx, %\r
.endr
    xorl    %eax, %eax
    ret
END(abi_probe_route)

ENTRY(abi_bad_saved_first)
    notq    %rbx
    ret
END(abi_bad_saved_first)

ENTRY(abi_bad_saved_last)
    notq    %r15
    ret
END(abi_bad_saved_last)

ENTRY(abi_bad_sp)
    popq    %rcx
    pushq   %rcx
    pushq   %rcx
    jmp     *%rcx
END(abi_bad_sp)

ENTRY(abi_bad_flags)
    std
    ret
END(abi_bad_flags)

.bss
.p2align 3
.irp name, abi_probe_time, abi_probe_sp, abi_probe_flags
.globl  \name
.hidden \name
.endr
abi_probe_time:  .skip 16
abi_probe_sp:    .skip 8
abi_probe_flags: .skip 8
abi_current:     .skip 8
