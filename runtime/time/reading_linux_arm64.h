// The steps of a reading, arm64. time_linux_arm64.S has the ABI table, the stack
// picture and the register plan; reading_linux_amd64.h explains.

#ifndef RUNTIME_TIME_READING_LINUX_ARM64_H_
#define RUNTIME_TIME_READING_LINUX_ARM64_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

.macro READING_BEGIN
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
    sub     sp, sp, #32
    str     x19, [x29, #-32]
    .cfi_offset x19, -48
.endm

.macro LOAD_FIELDS
    ldp     x9, x10, [x19]          // vdsoFP, vdsoStackHi
    ldp     x11, x12, [x19, #m_signalStackLo]  // and m_signalStackSize
    mov     x13, sp
    sub     x11, x13, x11
    cmp     x11, x12
    csel    x10, x10, xzr, hi
.endm

.macro LOAD_M_OF_THREAD
    mrs     x19, tpidr_el0
    adrp    x9, :gottprel:runtime_tlsM
    ldr     x9, [x9, #:gottprel_lo12:runtime_tlsM]
    add     x19, x19, x9
    LOAD_FIELDS
.endm

.macro LOAD_M m
    mov     x19, \m
    cbnz    x19, .Lm\@
    sub     x19, x29, #24
    mov     x9, #1
    mov     x10, #0
    b       .Lloaded\@
.Lm\@:
    LOAD_FIELDS
.Lloaded\@:
.endm

.macro SWITCH name, space
    sub     sp, sp, #\space
    str     x9, [x29, #-16]
    str     x29, [x19, #m_vdsoFP]   // publish, then
    cbnz    x9, .Lstay\@
    cbz     x10, .Lstay\@
    sub     sp, x10, #\space       // switch
.Lstay\@:
.Lswitched_\name:
.endm

.macro READING_END
    sub     sp, x29, #32            // switch back, then
    ldr     x9, [x29, #-16]
    str     x9, [x19, #m_vdsoFP]    // withdraw
    ldr     x19, [x29, #-32]
    .cfi_remember_state
    .cfi_restore x19
    mov     sp, x29
    ldp     x29, x30, [sp], #16
    .cfi_def_cfa sp, 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_restore_state
.endm

.macro CALL_ROUTE clock, offset, slow
    mov     w0, #\clock
    CALL_ROUTE_OF_W0 \offset, \slow
    cmp     x3, #1                  // overflows for RUNTIME_SEC_UNWRITTEN alone
    b.vs    \slow
.endm

.macro CALL_ROUTE_OF_W0 offset, slow
    mov     x9, #RUNTIME_SEC_UNWRITTEN
    mov     x10, #-1
    stp     x9, x10, [sp, #\offset]
    add     x1, sp, #\offset
    adrp    x9, runtime_route
    ldr     x9, [x9, #:lo12:runtime_route + page_inUse]
    blr     x9
    cbnz    w0, \slow
    ldr     x2, [sp, #\offset + ts_nsec]
    mov     w9, #(RUNTIME_NSEC_MAX & 0xffff)
    movk    w9, #(RUNTIME_NSEC_MAX >> 16), lsl #16
    cmp     x2, x9
    b.hi    \slow
    ldr     x3, [sp, #\offset + ts_sec]
.endm

.macro READ_SLOW clock, offset, back
    mov     w0, #\clock
    add     x1, sp, #\offset
    bl      runtime_readSlow
    ldp     x3, x2, [sp, #\offset]  // sec, nsec
    b       \back
.endm

// NANOSECONDS converts the sec in x3 and the nsec in x2. Uses x10.
.macro NANOSECONDS result
    mov     w10, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movk    w10, #(RUNTIME_NSEC_PER_SEC >> 16), lsl #16
    madd    \result, x3, x10, x2
.endm

.macro READ_PAIR
    ldr     x9, [x29, #-16]
    add     x0, x19, #m_held
    cmp     x9, #0
    csel    x0, x0, xzr, eq
    mov     x1, sp
    bl      runtime_readPair
.endm

#endif  // RUNTIME_TIME_READING_LINUX_ARM64_H_
