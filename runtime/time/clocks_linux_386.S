// The entry points for any clock, 386. clocks_linux_amd64.S explains; this one
// differs in:
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   ebp + 8   arguments                  esp + 16  timespec
//   ebp + 4   return address  = PC       esp + 4   argument ts
//   ebp + 0   caller's ebp               esp + 0   argument clockid
//   ebp - 4   ebx                        esp - 4   return address of the route
//   ebp - 8   esi
//   ebp - 12  m.vdsoFP at entry
//   ebp - 16  vdsoFP of no M
//   ebp - 20  clockid
//   ebp - 24  error
//
// The functions do not have their arguments in the same places, and so hand them
// over in eax (clockid) and edx (error).

#ifndef __i386__
#error "this file is for 386"
#endif

#include "runtime/time/reading_linux_386.h"

// KEEP_ARGUMENTS puts them into the frame.
.macro KEEP_ARGUMENTS
    pushl   %eax
    pushl   %edx
.endm

HIDDEN_LABEL(runtime_clocksBegin)

// int64_t runtime_clockNsM(runtime_M* m, int32_t clockid, int* error)
READING_ENTRY(runtime_clockNsM)
    READING_BEGIN
    movl    12(%ebp), %eax          // clockid
    movl    16(%ebp), %edx          // error
    KEEP_ARGUMENTS
    LOAD_M  8
    jmp     .LclockNs
END(runtime_clockNsM)

// int64_t runtime_clockNs(int32_t clockid, int* error)
READING_ENTRY(runtime_clockNs)
    movl    4(%esp), %eax           // clockid
    movl    8(%esp), %edx           // error
.LclockNs_of:
    READING_BEGIN
    KEEP_ARGUMENTS
    LOAD_M_OF_THREAD
.LclockNs:
    SWITCH runtime_clockNs, ts_size
    movl    -20(%ebp), %eax
    movl    %eax, (%esp)
    CALL_ROUTE_OF_ARG 0, .LclockNs_slow
    cmpl    $0, ARGS_SIZE + ts_sec + 4(%esp)  // until 2106, and it fits
    jne     .LclockNs_slow
    NANOSECONDS 0
    movl    -24(%ebp), %ecx
    testl   %ecx, %ecx
    jz      .LclockNs_read
    movl    $0, (%ecx)
.LclockNs_read:
    READING_END 0
.LclockNs_slow:
    movl    -20(%ebp), %eax
    movl    %eax, (%esp)
    movl    -24(%ebp), %eax
    movl    %eax, 4(%esp)
    call    runtime_readClockSlow
    jmp     .LclockNs_read
END(runtime_clockNs)

// READ_CLOCK is runtime_clockNs of a clock of its own.
.macro READ_CLOCK clock
    movl    $\clock, %eax
    movl    4(%esp), %edx           // error
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
