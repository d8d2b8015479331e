// Routes that do what a vDSO function may do, amd64. This is the explained one.
//
// All write abi_probe_time. No unwinder looks at these functions, so there is
// no call frame information.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"
#include "tests/adversarial.h"

// int adversarial_vectors_route(int32_t clockid, KernelTimespec* ts) overwrites
// the vector registers to their full width, as far as the processor and the
// kernel have them, and all that abi_probe_route does.
ENTRY(adversarial_vectors_route)
    pcmpeqd %mm0, %mm0
    emms                            // x87: empty, as the ABI wants it
    testl   $ADVERSARIAL_AVX, adversarial_features(%rip)
    jz      abi_probe_route
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vcmpps  $15, %ymm\n, %ymm\n, %ymm\n  // true: all ones
.endr
    testl   $ADVERSARIAL_AVX512, adversarial_features(%rip)
    jz      abi_probe_route
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vpternlogd $255, %zmm\n, %zmm\n, %zmm\n
.endr
.irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vpternlogd $255, %zmm\n, %zmm\n, %zmm\n
.endr
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kxnorw  %k0, %k0, %k\n
.endr
    jmp     abi_probe_route
END(adversarial_vectors_route)

// int adversarial_signal_route(int32_t clockid, KernelTimespec* ts) sends this
// thread a signal while the callee-saved registers hold garbage. Returns
// -EILSEQ when a handler has changed them.
ENTRY(adversarial_signal_route)
    pushq   %rbx
    pushq   %rbp
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    subq    $24, %rsp               // a multiple of 16 at the call
    movq    %rsi, (%rsp)            // ts
    movq    $ADVERSARIAL_GARBAGE, %rbx
.irp r, rbp, r12, r13, r14, r15
    movq    %rbx, %\r
.endr
    movl    $__NR_tgkill, %edi
    movslq  adversarial_process(%rip), %rsi
    movslq  adversarial_thread(%rip), %rdx
    movl    $ADVERSARIAL_SIGNAL, %ecx
    xorl    %r8d, %r8d
    call    runtime_syscall
    movl    $-ADVERSARIAL_CHANGED, %eax
.irp r, rbx, rbp, r12, r13, r14, r15
    cmpq    $ADVERSARIAL_GARBAGE, %\r
    jne     .Lreturn
.endr
    movq    (%rsp), %rsi
    movq    abi_probe_time(%rip), %rax
    movq    %rax, (%rsi)
    movq    8 + abi_probe_time(%rip), %rax
    movq    %rax, 8(%rsi)
    xorl    %eax, %eax
.Lreturn:
    addq    $24, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbp
    popq    %rbx
    ret
END(adversarial_signal_route)

// int adversarial_forgetful_route(int32_t clockid, KernelTimespec* ts) must be
// found out: it leaves a callee-saved register changed, the third of abi_call's.
ENTRY(adversarial_forgetful_route)
    notq    %r12
    jmp     abi_probe_route
END(adversarial_forgetful_route)

// void adversarial_misaligned_call(KernelTimespec* ts) calls abi_probe_route as
// nobody may. As in adversarial_direction_call, clockid is anything.
ENTRY(adversarial_misaligned_call)
    movq    %rdi, %rsi
    call    abi_probe_route         // 8 bytes off
    ret
END(adversarial_misaligned_call)

// void adversarial_direction_call(KernelTimespec* ts)
ENTRY(adversarial_direction_call)
    subq    $8, %rsp
    movq    %rdi, %rsi
    std
    call    abi_probe_route
    cld
    addq    $8, %rsp
    ret
END(adversarial_direction_call)
