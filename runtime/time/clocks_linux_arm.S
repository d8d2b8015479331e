// The entry points for any clock, arm. clocks_linux_amd64.S explains; this one
// differs in:
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   r11 + 4   lr, return address = PC    sp + 16  clockid
//   r11 + 0   caller's r11               sp + 0   timespec
//   r11 - 4   r5
//   r11 - 8   r4
//   r11 - 12  m.vdsoFP at entry
//   r11 - 16  vdsoFP of no M
//
// Register plan: r5 = error.

#ifndef __arm__
#error "this file is for arm"
#endif

#include "runtime/time/reading_linux_arm.h"

HIDDEN_LABEL(runtime_clocksBegin)

// int64_t runtime_clockNsM(runtime_M* m, int32_t clockid, int* error)
READING_ENTRY(runtime_clockNsM)
    READING_BEGIN
    mov     r5, r2
    mov     lr, r1
    LOAD_M  r0
    mov     r0, lr
    b       .LclockNs
END(runtime_clockNsM)

// int64_t runtime_clockNs(int32_t clockid, int* error)
READING_ENTRY(runtime_clockNs)
.LclockNs_of:
    READING_BEGIN
    mov     r5, r1
    LOAD_M_OF_THREAD runtime_clockNs
.LclockNs:
    SWITCH runtime_clockNs, 2*ts_size
    str     r0, [sp, #ts_size]
    CALL_ROUTE_OF_R0 0, .LclockNs_slow
    cmp     r1, #0                  // until 2106, and it fits
    bne     .LclockNs_slow
    NANOSECONDS 0
    cmp     r5, #0
    movne   r12, #0
    strne   r12, [r5]
.LclockNs_read:
    READING_END
.LclockNs_slow:
    ldr     r0, [sp, #ts_size]
    mov     r1, r5
    bl      runtime_readClockSlow
    b       .LclockNs_read
    LITERALS runtime_clockNs
END(runtime_clockNs)

// READ_CLOCK is runtime_clockNs of a clock of its own.
.macro READ_CLOCK clock
    mov     r1, r0
    mov     r0, #\clock
    b       .LclockNs_of
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
