// The entry points for any clock, amd64. time_linux_amd64.S has the ABI table,
// the register plan and all that is not said here; this one is the explained one
// of the four.
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   rbp + 8   return address  = PC       rsp + 16  clockid
//   rbp + 0   caller's rbp               rsp + 0   timespec
//   rbp - 8   rbx                        rsp - 8   return address of the route
//   rbp - 16  m.vdsoFP at entry
//   rbp - 24  error
//   rbp - 32  vdsoFP of no M
//
// Errors: a route's, an unwritten or nonsensical timespec, and a time that does
// not fit 64 bits on the way, all go to runtime_readClockSlow, which knows the
// other routes and the exact limits.

#ifndef __x86_64__
#error "this file is for amd64"
#endif

#include "runtime/time/reading_linux_amd64.h"

HIDDEN_LABEL(runtime_clocksBegin)

// int64_t runtime_clockNsM(runtime_M* m, int32_t clockid, int* error)
READING_ENTRY(runtime_clockNsM)
    READING_BEGIN
    movq    %rdx, -24(%rbp)
    LOAD_M  %rdi
    movl    %esi, %edi
    jmp     .LclockNs
END(runtime_clockNsM)

// int64_t runtime_clockNs(int32_t clockid, int* error)
READING_ENTRY(runtime_clockNs)
.LclockNs_of:
    READING_BEGIN
    movq    %rsi, -24(%rbp)
    LOAD_M_OF_THREAD
.LclockNs:
    SWITCH runtime_clockNs, 2*ts_size
    movl    %edi, ts_size(%rsp)
    CALL_ROUTE_OF_EDI 0, .LclockNs_slow
    imulq   $RUNTIME_NSEC_PER_SEC, %rax, %rax
    jo      .LclockNs_slow
    addq    %rdx, %rax
    jo      .LclockNs_slow
    movq    -24(%rbp), %rcx
    testq   %rcx, %rcx
    jz      .LclockNs_read
    movl    $0, (%rcx)
.LclockNs_read:
    READING_END
.LclockNs_slow:
    movl    ts_size(%rsp), %edi
    movq    -24(%rbp), %rsi
    call    runtime_readClockSlow
    jmp     .LclockNs_read
END(runtime_clockNs)

// READ_CLOCK is runtime_clockNs of a clock of its own.
.macro READ_CLOCK clock
    movq    %rdi, %rsi
    movl    $\clock, %edi
    jmp     .LclockNs_of
.endm

// int64_t runtime_realtimeNs(int* error)
READING_ENTRY(runtime_realtimeNs)
    READ_CLOCK RUNTIME_CLOCK_REALTIME
END(runtime_realtimeNs)

// int64_t runtime_monotonicNs(int* error)
READING_ENTRY(runtime_monotonicNs)
    READ_CLOCK RUNTIME_CLOCK_MONOTONIC
END(runtime_monotonicNs)

// int64_t runtime_monotonicRawNs(int* error)
READING_ENTRY(runtime_monotonicRawNs)
    READ_CLOCK RUNTIME_CLOCK_MONOTONIC_RAW
END(runtime_monotonicRawNs)

// int64_t runtime_realtimeCoarseNs(int* error)
READING_ENTRY(runtime_realtimeCoarseNs)
    READ_CLOCK RUNTIME_CLOCK_REALTIME_COARSE
END(runtime_realtimeCoarseNs)

// int64_t runtime_monotonicCoarseNs(int* error)
READING_ENTRY(runtime_monotonicCoarseNs)
    READ_CLOCK RUNTIME_CLOCK_MONOTONIC_COARSE
END(runtime_monotonicCoarseNs)

// int64_t runtime_boottimeNs(int* error)
READING_ENTRY(runtime_boottimeNs)
    READ_CLOCK RUNTIME_CLOCK_BOOTTIME
END(runtime_boottimeNs)

// int64_t runtime_taiNs(int* error)
READING_ENTRY(runtime_taiNs)
    READ_CLOCK RUNTIME_CLOCK_TAI
END(runtime_taiNs)

HIDDEN_LABEL(runtime_clocksEnd)

    DEBUG_INFO_BEGIN runtime_clocksBegin, runtime_clocksEnd
    DEBUG_INFO runtime_clockNs
    DEBUG_INFO_END
