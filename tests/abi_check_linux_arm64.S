// The ABI checker's trampoline, arm64. abi_check_linux_amd64.S explains.
//
// Words of saved_before and saved_after: x19 to x29, then d8 to d15.

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include "runtime/sys/asm.h"
#include "tests/abi_check.h"

// LOAD_SAVED and STORE_SAVED move the callee-saved registers; base = the AbiCall.
.macro LOAD_SAVED base
    add     x10, \base, #call_saved_before
    ldp     x19, x20, [x10], #16
    ldp     x21, x22, [x10], #16
    ldp     x23, x24, [x10], #16
    ldp     x25, x26, [x10], #16
    ldp     x27, x28, [x10], #16
    ldr     x29, [x10], #8
    ldp     d8, d9, [x10], #16
    ldp     d10, d11, [x10], #16
    ldp     d12, d13, [x10], #16
    ldp     d14, d15, [x10]
.endm

.macro STORE_SAVED base
    add     x10, \base, #call_saved_after
    stp     x19, x20, [x10], #16
    stp     x21, x22, [x10], #16
    stp     x23, x24, [x10], #16
    stp     x25, x26, [x10], #16
    stp     x27, x28, [x10], #16
    str     x29, [x10], #8
    stp     d8, d9, [x10], #16
    stp     d10, d11, [x10], #16
    stp     d12, d13, [x10], #16
    stp     d14, d15, [x10]
.endm

// void abi_call(AbiCall* call)
ENTRY(abi_call)
    stp     x29, x30, [sp, #-160]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    adrp    x9, abi_current
    str     x0, [x9, #:lo12:abi_current]
    mov     x9, x0
    ldr     x11, [x9, #call_fn]
    ldp     x0, x1, [x9, #call_args]
    ldr     x2, [x9, #call_args + 16]
    mov     x8, x1                  // where a large result's address goes
    mov     x10, sp
    str     x10, [x9, #call_sp_before]
    LOAD_SAVED x9
    blr     x11
    adrp    x9, abi_current
    ldr     x9, [x9, #:lo12:abi_current]
    stp     x0, x1, [x9, #call_result]
    mov     x10, sp
    str     x10, [x9, #call_sp_after]
    STORE_SAVED x9
    ldr     x10, [x9, #call_sp_before]
    mov     sp, x10
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    ldp     x29, x30, [sp], #160
    ret
END(abi_call)

// int abi_probe_route(int32_t clockid, KernelTimespec* ts)
ENTRY(abi_probe_route)
    mov     x9, sp
    adrp    x10, abi_probe_sp
    str     x9, [x10, #:lo12:abi_probe_sp]
    adrp    x10, abi_probe_time
    add     x10, x10, #:lo12:abi_probe_time
    ldp     x2, x3, [x10]
    stp     x2, x3, [x1]
.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
    mov     x\n, #-1
.endr
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    movi    v\n\().16b, #255
.endr
    mov     w0, #0
    ret
END(abi_probe_route)

ENTRY(abi_bad_saved_first)
    mvn     x19, x19
    ret
END(abi_bad_saved_first)

ENTRY(abi_bad_saved_last)
    fmov    d15, xzr
    ret
END(abi_bad_saved_last)

ENTRY(abi_bad_sp)
    sub     sp, sp, #16
    ret
END(abi_bad_sp)

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
