// The steps of a reading, amd64. time_linux_amd64.S has the ABI table, the
// stack picture and the register plan; this one is the explained one of the
// four.

#ifndef RUNTIME_TIME_READING_LINUX_AMD64_H_
#define RUNTIME_TIME_READING_LINUX_AMD64_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

// READING_BEGIN opens the frame, publishes it in the M in register m, and moves
// to the M's stack unless there is none or it is taken. space: for timespecs.
.macro READING_BEGIN name, m, space
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register rbp
    subq    $32, %rsp
    movq    %rbx, -8(%rbp)
    .cfi_offset rbx, -24
    movq    \m, %rbx
    testq   %rbx, %rbx
    jz      .Lnoswitch\@
    movq    m_vdsoFP(%rbx), %rax
    movq    %rax, -16(%rbp)
    movq    %rbp, m_vdsoFP(%rbx)    // publish, then
    testq   %rax, %rax
    jnz     .Lnoswitch\@
    movq    m_vdsoStackHi(%rbx), %rsp  // switch
.Lnoswitch\@:
    subq    $\space, %rsp
    andq    $-16, %rsp
.Lswitched_\name:
.endm

// READING_END goes back to the caller's stack, withdraws the frame and returns.
.macro READING_END
    leaq    -32(%rbp), %rsp         // switch back, then
    testq   %rbx, %rbx
    jz      .Lfinish\@
    movq    -16(%rbp), %rcx
    movq    %rcx, m_vdsoFP(%rbx)    // withdraw
.Lfinish\@:
    movq    -8(%rbp), %rbx
    .cfi_remember_state
    .cfi_restore rbx
    leave
    .cfi_def_cfa rsp, 8
    .cfi_restore rbp
    ret
    .cfi_restore_state              // for the slow path behind
.endm

// CALL_ROUTE reads clock into the timespec at rsp + offset, and leaves its nsec
// in rdx: each further load of what the vDSO has just stored costs a cycle or
// two, which the vDSO's serialising instruction in the next reading lays bare.
.macro CALL_ROUTE clock, offset, slow
    movq    $-1, \offset + ts_nsec(%rsp)
    movl    $\clock, %edi
    leaq    \offset(%rsp), %rsi
    call    *runtime_route(%rip)
    testl   %eax, %eax
    jnz     \slow
    movq    \offset + ts_nsec(%rsp), %rdx
    cmpq    $RUNTIME_NSEC_MAX, %rdx
    ja      \slow
.endm

// READ_SLOW does the same by the next route that can.
.macro READ_SLOW clock, offset, back
    movl    $\clock, %edi
    leaq    \offset(%rsp), %rsi
    call    runtime_readSlow
    movq    \offset + ts_nsec(%rsp), %rdx
    jmp     \back
.endm

// LOAD_M loads this thread's M.
.macro LOAD_M m
    movq    runtime_tlsM@gottpoff(%rip), \m
    movq    %fs:(\m), \m
.endm

// NANOSECONDS converts the timespec at rsp + offset whose nsec is in rdx.
.macro NANOSECONDS offset, result
    imulq   $RUNTIME_NSEC_PER_SEC, \offset + ts_sec(%rsp), \result
    addq    %rdx, \result
.endm

#endif  // RUNTIME_TIME_READING_LINUX_AMD64_H_
