// Routes that do what a vDSO function may do, arm64. adversarial_linux_amd64.S
// explains. The callee-saved vector registers d8-d15 are garbage, too.

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include <asm/unistd.h>

#include "runtime/sys/asm.h"
#include "tests/adversarial.h"

// LOAD loads a variable.
.macro LOAD reg, name
    adrp    x17, \name
    ldr     \reg, [x17, #:lo12:\name]
.endm

// int adversarial_vectors_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_vectors_route)
    movi    v0.16b, #255
.irp n, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    mov     v\n\().16b, v0.16b
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    mov     v\n\().d[1], v0.d[1]    // the upper halves are the callee's
.endr
    b       abi_probe_route
END(adversarial_vectors_route)

// int adversarial_signal_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_signal_route)
    stp     x29, x30, [sp, #-176]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    str     x1, [sp, #160]          // ts
    ldr     x9, =ADVERSARIAL_GARBAGE
.irp r, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
    mov     \r, x9
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    fmov    d\n, x9
.endr
    mov     x0, #__NR_tgkill
    LOAD    w1, adversarial_process
    LOAD    w2, adversarial_thread
    mov     x3, #ADVERSARIAL_SIGNAL
    mov     x4, #0
    bl      runtime_syscall
    ldr     x9, =ADVERSARIAL_GARBAGE
    mov     w0, #-ADVERSARIAL_CHANGED
.irp r, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
    cmp     \r, x9
    b.ne    .Lreturn
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    fmov    x10, d\n
    cmp     x10, x9
    b.ne    .Lreturn
.endr
    ldr     x1, [sp, #160]
    LOAD    x2, abi_probe_time
    str     x2, [x1]
    LOAD    x2, abi_probe_time + 8
    str     x2, [x1, #8]
    mov     w0, #0
.Lreturn:
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    ldp     x29, x30, [sp], #176
    ret
END(adversarial_signal_route)
.ltorg

// int adversarial_forgetful_route(int32_t clockid, KernelTimespec* ts)
ENTRY(adversarial_forgetful_route)
    mvn     x21, x21
    b       abi_probe_route
END(adversarial_forgetful_route)

// void adversarial_misaligned_call(KernelTimespec* ts). The processor faults
// only on accesses by such an sp, and abi_probe_route makes none.
ENTRY(adversarial_misaligned_call)
    stp     x29, x30, [sp, #-16]!
    mov     x1, x0
    sub     sp, sp, #8
    bl      abi_probe_route
    add     sp, sp, #8
    ldp     x29, x30, [sp], #16
    ret
END(adversarial_misaligned_call)
