// The entry points, amd64. This is the explained one; the other arches say what
// differs. docs/architecture.md has the picture.
//
// ABI (System V, x86-64 psABI):
//
//   arguments      rdi rsi; runtime_now's hidden result pointer comes first
//   results        rax, rdx; runtime_now: *hidden pointer, and it in rax
//   callee-saved   rbx rbp r12-r15 rsp; the direction flag is clear
//   at entry       rsp + 8 is a multiple of 16
//
// The frame pointer is the saved stack pointer: rbp keeps its place on the
// caller's stack while rsp visits the vDSO stack, so the CFI needs one rule (CFA =
// rbp + 16) and the chain of saved rbp stays whole across the two stacks.
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   rbp + 8   return address  = PC       rsp + 16  runtime_now: monotonic time
//   rbp + 0   caller's rbp               rsp + 0   timespec
//   rbp - 8   rbx                        rsp - 8   return address of the route
//   rbp - 16  m.vdsoFP at entry
//   rbp - 24  result pointer
//   rbp - 32  vdsoFP of no M; rsp of a reading that does not switch is there,
//             minus the timespecs
//
// Register plan: rbx = m, and rbp as above, for the whole function.
//
// Signals: m.vdsoFP = rbp publishes the reading. One word says both where the
// reading returns to (the return address above it) and that the vDSO stack is
// taken, so that a handler sees all of it or nothing. It is set before rsp leaves
// for the vDSO stack and put back after rsp has returned: a handler that reads
// the clock in between sees m.vdsoFP != 0 and stays on its own stack.
//
// Pairs: runtime_now reads the monotonic clock and its coarse companion, and adds
// what the M holds: pair.h says why that is right, and runtime_readPair does
// it when the M holds nothing that is of use.
//
// Errors: the timespec's sec and nsec are set to what no clock says before the
// call. A result other than 0, a sec that is still that, and an nsec that is
// still, or otherwise, out of range go the slow way: the next route, and in the
// end the fatal hook.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include "runtime/time/reading_linux_amd64.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    READING_BEGIN
    LOAD_M  %rdi
    jmp     .Lnanotime
END(runtime_nanotimeM)

// int64_t runtime_nanotime(void)
READING_ENTRY(runtime_nanotime)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lnanotime:
    SWITCH runtime_nanotime, ts_size
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_slow
.Lnanotime_read:
    NANOSECONDS %rax
    READING_END
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
END(runtime_nanotime)

// runtime_Walltime runtime_walltimeM(runtime_M* m)
READING_ENTRY(runtime_walltimeM)
    READING_BEGIN
    LOAD_M  %rdi
    jmp     .Lwalltime
END(runtime_walltimeM)

// runtime_Walltime runtime_walltime(void)
READING_ENTRY(runtime_walltime)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lwalltime:
    SWITCH runtime_walltime, ts_size
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_slow
.Lwalltime_read:
    READING_END                     // rax holds sec, edx nsec
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
END(runtime_walltime)

// runtime_Now runtime_nowM(runtime_M* m); rdi = result
READING_ENTRY(runtime_nowM)
    READING_BEGIN
    LOAD_M  %rsi
    jmp     .Lnow
END(runtime_nowM)

// runtime_Now runtime_now(void); rdi = result
READING_ENTRY(runtime_now)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lnow:
    SWITCH runtime_now, 2*ts_size
    movq    %rdi, -24(%rbp)
    testq   %rax, %rax              // nested, or no M
    jnz     .Lnow_slow
    movl    runtime_route + page_generation(%rip), %ecx
    cmpl    %ecx, m_held + held_generation(%rbx)
    jne     .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC_COARSE, 0, .Lnow_slow
    cmpq    m_held + held_coarseSec(%rbx), %rax
    jne     .Lnow_slow
    cmpq    m_held + held_coarseNsec(%rbx), %rdx
    jne     .Lnow_slow
    movq    ts_size + ts_sec(%rsp), %rax
    movq    ts_size + ts_nsec(%rsp), %rdx
    NANOSECONDS %rcx
    addq    m_held + held_sec(%rbx), %rax
    addq    m_held + held_nsec(%rbx), %rdx
    cmpq    $RUNTIME_NSEC_MAX, %rdx
    jbe     .Lnow_read
    subq    $RUNTIME_NSEC_PER_SEC, %rdx
    incq    %rax
.Lnow_read:
    movq    -24(%rbp), %rdi         // result
    movq    %rax, (%rdi)            // result.sec
    movl    %edx, 8(%rdi)           // result.nsec
    movq    %rcx, 16(%rdi)          // result.mono
    movq    %rdi, %rax
    READING_END
.Lnow_slow:
    READ_PAIR
    movq    ts_size + ts_sec(%rsp), %rax
    movq    ts_size + ts_nsec(%rsp), %rdx
    NANOSECONDS %rcx
    movq    ts_sec(%rsp), %rax
    movq    ts_nsec(%rsp), %rdx
    jmp     .Lnow_read
END(runtime_now)

HIDDEN_LABEL(runtime_entryEnd)

    DEBUG_INFO_BEGIN runtime_entryBegin, runtime_entryEnd
    DEBUG_INFO runtime_nanotime
    DEBUG_INFO runtime_walltime
    DEBUG_INFO runtime_now
    DEBUG_INFO_END
