// The steps of a reading, amd64. time_linux_amd64.S has the ABI table, the
// stack picture and the register plan; this one is the explained one of the
// four.

#ifndef RUNTIME_TIME_READING_LINUX_AMD64_H_
#define RUNTIME_TIME_READING_LINUX_AMD64_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

// READING_BEGIN opens the frame.
.macro READING_BEGIN
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register rbp
    subq    $32, %rsp
    movq    %rbx, -8(%rbp)
    .cfi_offset rbx, -24
.endm

// LOAD_FIELDS loads of the M at base what SWITCH looks at: rax = m.vdsoFP, rcx =
// m.vdsoStackHi, or 0 on the thread's alternate signal stack. There, a reading
// must stay: once rsp has left it, the kernel would put the next signal's frame
// over this one's handler. It takes rsp for on it as the kernel does (on_sig_
// stack, include/linux/sched/signal.h).
.macro LOAD_FIELDS segment, base
    movq    \segment m_vdsoFP(\base), %rax
    movq    \segment m_vdsoStackHi(\base), %rcx
    movq    %rsp, %r8
    subq    \segment m_signalStackLo(\base), %r8
    cmpq    \segment m_signalStackSize(\base), %r8
    ja      .Lelsewhere\@
    xorl    %ecx, %ecx
.Lelsewhere\@:
.endm

// LOAD_M_OF_THREAD loads this thread's M, and of it what SWITCH looks at. All
// at once: a load of the M's address first would cost its latency, since the
// vDSO waits for all loads before it reads the counter.
.macro LOAD_M_OF_THREAD
    movq    runtime_tlsM@gottpoff(%rip), %rdx
    LOAD_FIELDS %fs:, %rdx
    movq    %fs:0, %rbx
    addq    %rdx, %rbx
.endm

// LOAD_M does the same for the M at m. In place of NULL comes a vdsoFP in the
// frame, to publish in; it looks taken, for there is nothing else of an M.
.macro LOAD_M m
    movq    \m, %rbx
    testq   %rbx, %rbx
    jnz     .Lm\@
    leaq    -32(%rbp), %rbx
    movl    $1, %eax
    xorl    %ecx, %ecx
    jmp     .Lloaded\@
.Lm\@:
    LOAD_FIELDS , %rbx
.Lloaded\@:
.endm

// SWITCH publishes the frame and moves to the M's stack, unless there is none
// or it is taken. space: for timespecs.
.macro SWITCH name, space
    subq    $\space, %rsp
    andq    $-16, %rsp
    movq    %rax, -16(%rbp)
    movq    %rbp, m_vdsoFP(%rbx)    // publish, then
    testq   %rax, %rax
    jnz     .Lstay\@
    testq   %rcx, %rcx
    jz      .Lstay\@
    leaq    -\space(%rcx), %rsp    // switch
.Lstay\@:
.Lswitched_\name:
.endm

// READING_END goes back to the caller's stack, withdraws the frame and returns.
.macro READING_END
    leaq    -32(%rbp), %rsp         // switch back, then
    movq    -16(%rbp), %rcx
    movq    %rcx, m_vdsoFP(%rbx)    // withdraw
    movq    -8(%rbp), %rbx
    .cfi_remember_state
    .cfi_restore rbx
    leave
    .cfi_def_cfa rsp, 8
    .cfi_restore rbp
    ret
    .cfi_restore_state              // for the slow path behind
.endm

// CALL_ROUTE reads clock into the timespec at rsp + offset, and leaves its sec in
// rax and its nsec in rdx: each further load of what the vDSO has just stored
// costs a cycle or two, which the vDSO's serialising instruction in the next
// reading lays bare.
.macro CALL_ROUTE clock, offset, slow
    movl    $\clock, %edi
    CALL_ROUTE_OF_EDI \offset, \slow
    cmpq    $1, %rax                // overflows for RUNTIME_SEC_UNWRITTEN alone
    jo      \slow
.endm

// CALL_ROUTE_OF_EDI does it for the clock in edi, but for whom an unwritten sec
// is too much in any case.
.macro CALL_ROUTE_OF_EDI offset, slow
    movabsq $RUNTIME_SEC_UNWRITTEN, %rax
    movq    %rax, \offset + ts_sec(%rsp)
    movq    $-1, \offset + ts_nsec(%rsp)
    leaq    \offset(%rsp), %rsi
    call    *runtime_route + page_inUse(%rip)
    testl   %eax, %eax
    jnz     \slow
    movq    \offset + ts_sec(%rsp), %rax
    movq    \offset + ts_nsec(%rsp), %rdx
    cmpq    $RUNTIME_NSEC_MAX, %rdx
    ja      \slow
.endm

// READ_SLOW does the same by the next route that can.
.macro READ_SLOW clock, offset, back
    movl    $\clock, %edi
    leaq    \offset(%rsp), %rsi
    call    runtime_readSlow
    movq    \offset + ts_sec(%rsp), %rax
    movq    \offset + ts_nsec(%rsp), %rdx
    jmp     \back
.endm

// NANOSECONDS converts what CALL_ROUTE has left.
.macro NANOSECONDS result
    imulq   $RUNTIME_NSEC_PER_SEC, %rax, \result
    addq    %rdx, \result
.endm

// READ_PAIR reads both clocks the slow way, wall clock at rsp and monotonic clock
// behind it. What the M holds is for readings that are not nested in another.
.macro READ_PAIR
    xorl    %edi, %edi
    leaq    m_held(%rbx), %rcx
    cmpq    $0, -16(%rbp)
    cmoveq  %rcx, %rdi
    movq    %rsp, %rsi
    call    runtime_readPair
.endm

#endif  // RUNTIME_TIME_READING_LINUX_AMD64_H_
