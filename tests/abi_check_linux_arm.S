// The ABI checker's trampoline, arm. abi_check_linux_amd64.S explains.
//
// Words of saved_before and saved_after: r4 to r11, then d8 to d15 (two each).

#ifndef __arm__
#error "this file is for arm"
#endif

#include "runtime/sys/asm.h"
#include "tests/abi_check.h"

.fpu vfpv3-d16

// ADDRESS sets reg to a variable's address.
.macro ADDRESS reg, name
    movw    \reg, #:lower16:(\name - (.Lpc\@ + 8))
    movt    \reg, #:upper16:(\name - (.Lpc\@ + 8))
.Lpc\@:
    add     \reg, pc, \reg
.endm

// void abi_call(AbiCall* call)
ENTRY(abi_call)
    push    {r3-r11, lr}            // r3: for alignment
    vpush   {d8-d15}
    ADDRESS r12, abi_current
    str     r0, [r12]
    mov     r3, r0
    ldr     r0, [r3, #call_args + 0]
    ldr     r1, [r3, #call_args + 4]
    ldr     r2, [r3, #call_args + 8]
    str     sp, [r3, #call_sp_before]
    ldr     r12, [r3, #call_fn]
    add     r3, r3, #call_saved_before
    ldm     r3!, {r4-r11}
    vldm    r3, {d8-d15}
    blx     r12
    ADDRESS r12, abi_current
    ldr     r12, [r12]
    str     r0, [r12, #call_result + 0]
    str     r1, [r12, #call_result + 4]
    str     sp, [r12, #call_sp_after]
    add     r3, r12, #call_saved_after
    stm     r3!, {r4-r11}
    vstm    r3, {d8-d15}
    ldr     sp, [r12, #call_sp_before]
    vpop    {d8-d15}
    pop     {r3-r11, pc}
END(abi_call)

// int abi_probe_route(int32_t clockid, KernelTimespec* ts)
ENTRY(abi_probe_route)
    ADDRESS r12, abi_probe_sp
    str     sp, [r12]
    ADDRESS r12, abi_probe_time
    ldrd    r2, r3, [r12]
    strd    r2, r3, [r1]
    ldrd    r2, r3, [r12, #8]
    strd    r2, r3, [r1, #8]
    mov     r3, lr                  // for the return
.irp r, r1, r2, r12, lr
    mvn     \r, #0
.endr
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
    vmov    d\n, r1, r2
.endr
    mov     r0, #0
    bx      r3
END(abi_probe_route)

ENTRY(abi_bad_saved_first)
    mvn     r4, r4
    bx      lr
END(abi_bad_saved_first)

ENTRY(abi_bad_saved_last)
    vmov    d15, r0, r1
    bx      lr
END(abi_bad_saved_last)

ENTRY(abi_bad_sp)
    sub     sp, sp, #8
    bx      lr
END(abi_bad_sp)

.bss
.p2align 3
.irp name, abi_probe_time, abi_probe_sp, abi_probe_flags
.globl  \name
.hidden \name
.endr
abi_probe_time:  .skip 16
abi_probe_sp:    .skip 4
abi_probe_flags: .skip 4
abi_current:     .skip 4
