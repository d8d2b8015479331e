// Routes that do what a vDSO function may do, 386. adversarial_linux_amd64.S
// explains.

#ifndef __i386__
#error "this file is for 386"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"
#include "tests/adversarial.h"

// DATA sets ecx to the global offset table.
.macro DATA
    call    runtime_sysGetPC
    addl    $_GLOBAL_OFFSET_TABLE_, %ecx
.endm

// int adversarial_vectors_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_vectors_route)
    pcmpeqd %mm0, %mm0
    emms
    DATA
    testl   $ADVERSARIAL_SSE, adversarial_features@GOTOFF(%ecx)
    jz      abi_probe_route
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
    cmpps   $7, %xmm\n, %xmm\n      // ordered: all ones, but for NaNs
.endr
    testl   $ADVERSARIAL_AVX, adversarial_features@GOTOFF(%ecx)
    jz      abi_probe_route
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
    vcmpps  $15, %ymm\n, %ymm\n, %ymm\n
.endr
    testl   $ADVERSARIAL_AVX512, adversarial_features@GOTOFF(%ecx)
    jz      abi_probe_route
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
    vpternlogd $255, %zmm\n, %zmm\n, %zmm\n
    kxnorw  %k0, %k0, %k\n
.endr
    jmp     abi_probe_route
END(adversarial_vectors_route)

// int adversarial_signal_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_signal_route)
    pushl   %ebx
    pushl   %ebp
    pushl   %esi
    pushl   %edi
    subl    $28, %esp               // esp + 4 is a multiple of 16 at the call
    DATA
    movl    $__NR_tgkill, (%esp)
    movl    adversarial_process@GOTOFF(%ecx), %eax
    movl    %eax, 4(%esp)
    movl    adversarial_thread@GOTOFF(%ecx), %eax
    movl    %eax, 8(%esp)
    movl    $ADVERSARIAL_SIGNAL, 12(%esp)
    movl    $0, 16(%esp)
.irp r, ebx, ebp, esi, edi
    movl    $ADVERSARIAL_GARBAGE, %\r
.endr
    call    runtime_syscall
    movl    $-ADVERSARIAL_CHANGED, %eax
.irp r, ebx, ebp, esi, edi
    cmpl    $ADVERSARIAL_GARBAGE, %\r
    jne     .Lreturn
.endr
    DATA
    movl    52(%esp), %edx          // ts
.irp offset, 0, 4, 8, 12
    movl    \offset + abi_probe_time@GOTOFF(%ecx), %eax
    movl    %eax, \offset(%edx)
.endr
    xorl    %eax, %eax
.Lreturn:
    addl    $28, %esp
    popl    %edi
    popl    %esi
    popl    %ebp
    popl    %ebx
    ret
END(adversarial_signal_route)

// int adversarial_forgetful_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_forgetful_route)
    notl    %edi
    jmp     abi_probe_route
END(adversarial_forgetful_route)

// void adversarial_misaligned_call(KernelTimespec* ts)
ENTRY(adversarial_misaligned_call)
    pushl   4(%esp)
    pushl   $0
    call    abi_probe_route         // 4 bytes off
    addl    $8, %esp
    ret
END(adversarial_misaligned_call)

// void adversarial_direction_call(KernelTimespec* ts)
ENTRY(adversarial_direction_call)
    movl    4(%esp), %eax
    subl    $12, %esp
    movl    %eax, 4(%esp)
    std
    call    abi_probe_route
    cld
    addl    $12, %esp
    ret
END(adversarial_direction_call)
