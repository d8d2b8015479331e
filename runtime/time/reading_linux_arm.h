// The steps of a reading, arm. time_linux_arm.S has the ABI table, the stack
// picture and the register plan; reading_linux_amd64.h explains.

#ifndef RUNTIME_TIME_READING_LINUX_ARM_H_
#define RUNTIME_TIME_READING_LINUX_ARM_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

.macro READING_BEGIN
    push    {r4, r5, r11, lr}
    .save   {r4, r5, r11, lr}
    .cfi_def_cfa_offset 16
    .cfi_offset r4, -16
    .cfi_offset r5, -12
    .cfi_offset r11, -8
    .cfi_offset lr, -4
    add     r11, sp, #8
    .setfp  r11, sp, #8
    .cfi_def_cfa r11, 8
    sub     sp, sp, #8
.endm

.macro LOAD_FIELDS
    ldr     r12, [r4, #m_vdsoFP]
    ldr     r3, [r4, #m_vdsoStackHi]
    ldr     r2, [r4, #m_signalStackLo]
    ldr     r1, [r4, #m_signalStackSize]
    sub     r2, sp, r2
    cmp     r2, r1
    movls   r3, #0
.endm

.macro LOAD_M_OF_THREAD name
    mrc     p15, 0, r4, c13, c0, 3  // TPIDRURO, the thread pointer
    ldr     r12, .Lgottpoff_\name
.Ltls_\name:
    ldr     r12, [pc, r12]
    add     r4, r4, r12
    LOAD_FIELDS
.endm

// LITERALS stands where control does not come.
.macro LITERALS name
.Lgottpoff_\name:
    .word   runtime_tlsM(gottpoff) + (. - .Ltls_\name - 8)
.endm

.macro LOAD_M m
    movs    r4, \m
    bne     .Lm\@
    sub     r4, r11, #16
    mov     r12, #1
    mov     r3, #0
    b       .Lloaded\@
.Lm\@:
    LOAD_FIELDS
.Lloaded\@:
.endm

.macro SWITCH name, space
    sub     sp, sp, #\space
    str     r12, [r11, #-12]
    str     r11, [r4, #m_vdsoFP]    // publish, then
    cmp     r12, #0
    bne     .Lstay\@
    cmp     r3, #0
    subne   sp, r3, #\space        // switch
.Lstay\@:
.Lswitched_\name:
.endm

.macro READING_END
    sub     sp, r11, #16            // switch back, then
    ldr     r12, [r11, #-12]
    str     r12, [r4, #m_vdsoFP]    // withdraw
    add     sp, sp, #8
    .cfi_remember_state
    .cfi_def_cfa sp, 16
    pop     {r4, r5, r11, pc}
    .cfi_restore_state
.endm

.macro CALL_ROUTE clock, offset, slow
    mov     r0, #\clock
    CALL_ROUTE_OF_R0 \offset, \slow
    cmp     r1, #RUNTIME_SEC_UNWRITTEN_HI
    beq     \slow
.endm

.macro CALL_ROUTE_OF_R0 offset, slow
    mvn     r12, #0
    str     r12, [sp, #\offset + ts_nsec]
    str     r12, [sp, #\offset + ts_nsec + 4]
    mov     r12, #RUNTIME_SEC_UNWRITTEN_HI
    str     r12, [sp, #\offset + ts_sec + 4]
    add     r1, sp, #\offset
    movw    r12, #:lower16:(runtime_route + page_inUse - (.Lroute\@ + 8))
    movt    r12, #:upper16:(runtime_route + page_inUse - (.Lroute\@ + 8))
.Lroute\@:
    ldr     r12, [pc, r12]
    blx     r12
    ldr     r3, [sp, #\offset + ts_nsec + 4]
    orrs    r0, r0, r3              // both 0?
    bne     \slow
    ldr     r12, [sp, #\offset + ts_nsec]
    movw    r3, #(RUNTIME_NSEC_MAX & 0xffff)
    movt    r3, #(RUNTIME_NSEC_MAX >> 16)
    cmp     r12, r3
    bhi     \slow
    ldr     r1, [sp, #\offset + ts_sec + 4]
.endm

.macro READ_SLOW clock, offset, back
    mov     r0, #\clock
    add     r1, sp, #\offset
    bl      runtime_readSlow
    ldr     r1, [sp, #\offset + ts_sec + 4]
    ldr     r12, [sp, #\offset + ts_nsec]
    b       \back
.endm

// NANOSECONDS converts the timespec at sp + offset, of which r1 and r12 hold the
// upper half of sec and nsec, to r0 and r1. Uses r3.
.macro NANOSECONDS offset
    ldr     r0, [sp, #\offset + ts_sec]
    movw    r3, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movt    r3, #(RUNTIME_NSEC_PER_SEC >> 16)
    mul     r1, r1, r3
    umull   r0, r3, r0, r3
    add     r1, r1, r3
    adds    r0, r0, r12
    adc     r1, r1, #0
.endm

.macro READ_PAIR
    ldr     r12, [r11, #-12]
    cmp     r12, #0
    addeq   r0, r4, #m_held
    movne   r0, #0
    mov     r1, sp
    bl      runtime_readPair
    ldr     r1, [sp, #ts_size + ts_sec + 4]
    ldr     r12, [sp, #ts_size + ts_nsec]
.endm

// ADD_HELD makes of the first timespec the second one plus what the M holds, and
// leaves what NANOSECONDS wants of the second. Uses r0, r2, r3.
.macro ADD_HELD
    ldrd    r0, r1, [sp, #ts_size + ts_sec]
    ldrd    r2, r3, [r4, #m_held + held_sec]
    adds    r0, r0, r2
    adc     r1, r1, r3
    ldr     r12, [sp, #ts_size + ts_nsec]
    ldr     r2, [r4, #m_held + held_nsec]
    add     r2, r2, r12
    movw    r3, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movt    r3, #(RUNTIME_NSEC_PER_SEC >> 16)
    cmp     r2, r3
    blo     .Ladded\@
    sub     r2, r2, r3
    adds    r0, r0, #1
    adc     r1, r1, #0
.Ladded\@:
    stm     sp, {r0, r1, r2}        // sec, nsec
    ldr     r1, [sp, #ts_size + ts_sec + 4]
.endm

#endif  // RUNTIME_TIME_READING_LINUX_ARM_H_
