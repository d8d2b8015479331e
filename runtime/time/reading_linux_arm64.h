// The steps of a reading, arm64. time_linux_arm64.S has the ABI table, the stack
// picture and the register plan; reading_linux_amd64.h explains.

#ifndef RUNTIME_TIME_READING_LINUX_ARM64_H_
#define RUNTIME_TIME_READING_LINUX_ARM64_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

.macro READING_BEGIN name, space
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
    str     x19, [sp, #-32]!
    .cfi_offset x19, -48
    mov     x19, x0
    cbz     x19, .Lnoswitch\@
    ldr     x9, [x19, #m_vdsoFP]
    str     x9, [x29, #-16]
    str     x29, [x19, #m_vdsoFP]   // publish, then
    cbnz    x9, .Lnoswitch\@
    ldr     x9, [x19, #m_vdsoStackHi]
    mov     sp, x9                  // switch
.Lnoswitch\@:
    sub     sp, sp, #\space
.Lswitched_\name:
.endm

.macro READING_END
    sub     sp, x29, #32            // switch back, then
    cbz     x19, .Lfinish\@
    ldr     x9, [x29, #-16]
    str     x9, [x19, #m_vdsoFP]    // withdraw
.Lfinish\@:
    ldr     x19, [sp], #32
    .cfi_remember_state
    .cfi_restore x19
    .cfi_def_cfa sp, 16
    ldp     x29, x30, [sp], #16
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_restore_state
.endm

.macro CALL_ROUTE clock, offset, slow
    mov     x9, #-1
    str     x9, [sp, #\offset + ts_nsec]
    mov     w0, #\clock
    add     x1, sp, #\offset
    adrp    x9, runtime_route
    ldr     x9, [x9, #:lo12:runtime_route]
    blr     x9
    cbnz    w0, \slow
    ldr     x2, [sp, #\offset + ts_nsec]
    mov     w9, #(RUNTIME_NSEC_MAX & 0xffff)
    movk    w9, #(RUNTIME_NSEC_MAX >> 16), lsl #16
    cmp     x2, x9
    b.hi    \slow
.endm

.macro READ_SLOW clock, offset, back
    mov     w0, #\clock
    add     x1, sp, #\offset
    bl      runtime_readSlow
    ldr     x2, [sp, #\offset + ts_nsec]
    b       \back
.endm

// LOAD_M loads this thread's M into x0.
.macro LOAD_M
    mrs     x0, tpidr_el0
    adrp    x9, :gottprel:runtime_tlsM
    ldr     x9, [x9, #:gottprel_lo12:runtime_tlsM]
    ldr     x0, [x0, x9]
.endm

// NANOSECONDS converts the timespec at sp + offset whose nsec is in x2.
// Uses x10.
.macro NANOSECONDS offset, result
    ldr     \result, [sp, #\offset + ts_sec]
    mov     w10, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movk    w10, #(RUNTIME_NSEC_PER_SEC >> 16), lsl #16
    madd    \result, \result, x10, x2
.endm

#endif  // RUNTIME_TIME_READING_LINUX_ARM64_H_
