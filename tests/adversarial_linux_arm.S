// Routes that do what a vDSO function may do, arm. adversarial_linux_amd64.S
// explains. The callee-saved vector registers d8-d15 are garbage, too.

#ifndef __arm__
#error "this file is for arm"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"
#include "tests/adversarial.h"

.fpu neon

// LOAD loads a variable.
.macro LOAD reg, name
    movw    \reg, #:lower16:(\name - (.Lpc\@ + 8))
    movt    \reg, #:upper16:(\name - (.Lpc\@ + 8))
.Lpc\@:
    ldr     \reg, [pc, \reg]
.endm

// int adversarial_vectors_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_vectors_route)
    LOAD    r12, adversarial_features
    tst     r12, #ADVERSARIAL_NEON
    beq     abi_probe_route
.irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vmov.i8 d\n, #255
.endr
    b       abi_probe_route
END(adversarial_vectors_route)

// int adversarial_signal_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_signal_route)
    push    {r1, r4-r11, lr}
    vpush   {d8-d15}
    sub     sp, sp, #8              // runtime_syscall's fifth argument
    movw    r12, #(ADVERSARIAL_GARBAGE & 0xffff)
    movt    r12, #(ADVERSARIAL_GARBAGE >> 16)
.irp r, r4, r5, r6, r7, r8, r9, r10, r11
    mov     \r, r12
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    vmov    d\n, r12, r12
.endr
    mov     r0, #0
    str     r0, [sp]
    movw    r0, #(__NR_tgkill)
    LOAD    r1, adversarial_process
    LOAD    r2, adversarial_thread
    mov     r3, #ADVERSARIAL_SIGNAL
    bl      runtime_syscall
    movw    r12, #(ADVERSARIAL_GARBAGE & 0xffff)
    movt    r12, #(ADVERSARIAL_GARBAGE >> 16)
    mvn     r0, #(ADVERSARIAL_CHANGED - 1)
.irp r, r4, r5, r6, r7, r8, r9, r10, r11
    cmp     \r, r12
    bne     .Lreturn
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    vmov    r2, r3, d\n
    cmp     r2, r12
    cmpeq   r3, r12
    bne     .Lreturn
.endr
    ldr     r1, [sp, #72]           // ts
.irp offset, 0, 4, 8, 12
    LOAD    r2, (abi_probe_time + \offset)
    str     r2, [r1, #\offset]
.endr
    mov     r0, #0
.Lreturn:
    add     sp, sp, #8
    vpop    {d8-d15}
    pop     {r1, r4-r11, pc}
END(adversarial_signal_route)

// int adversarial_forgetful_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_forgetful_route)
    mvn     r6, r6
    b       abi_probe_route
END(adversarial_forgetful_route)

// void adversarial_misaligned_call(KernelTimespec* ts)
ENTRY(adversarial_misaligned_call)
    push    {lr}                    // 4 bytes off
    mov     r1, r0
    bl      abi_probe_route
    pop     {pc}
END(adversarial_misaligned_call)
