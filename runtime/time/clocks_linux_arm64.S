// The entry points for any clock, arm64. clocks_linux_amd64.S explains; this one
// differs in:
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   x29 + 8   x30, return address = PC   sp + 16   clockid
//   x29 + 0   caller's x29               sp + 0    timespec
//   x29 - 8   error
//   x29 - 16  m.vdsoFP at entry
//   x29 - 24  vdsoFP of no M
//   x29 - 32  x19

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include "runtime/time/reading_linux_arm64.h"

HIDDEN_LABEL(runtime_clocksBegin)

// int64_t runtime_clockNsM(runtime_M* m, int32_t clockid, int* error)
READING_ENTRY(runtime_clockNsM)
    READING_BEGIN
    str     x2, [x29, #-8]
    LOAD_M  x0
    mov     w0, w1
    b       .LclockNs
END(runtime_clockNsM)

// int64_t runtime_clockNs(int32_t clockid, int* error)
READING_ENTRY(runtime_clockNs)
.LclockNs_of:
    READING_BEGIN
    str     x1, [x29, #-8]
    LOAD_M_OF_THREAD
.LclockNs:
    SWITCH runtime_clockNs, 2*ts_size
    str     w0, [sp, #ts_size]
    CALL_ROUTE_OF_W0 0, .LclockNs_slow
    mov     w10, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movk    w10, #(RUNTIME_NSEC_PER_SEC >> 16), lsl #16
    smulh   x9, x3, x10
    mul     x0, x3, x10
    cmp     x9, x0, asr #63         // no more than the sign?
    b.ne    .LclockNs_slow
    adds    x0, x0, x2
    b.vs    .LclockNs_slow
    ldr     x9, [x29, #-8]
    cbz     x9, .LclockNs_read
    str     wzr, [x9]
.LclockNs_read:
    READING_END
.LclockNs_slow:
    ldr     w0, [sp, #ts_size]
    ldr     x1, [x29, #-8]
    bl      runtime_readClockSlow
    b       .LclockNs_read
END(runtime_clockNs)

// READ_CLOCK is runtime_clockNs of a clock of its own.
.macro READ_CLOCK clock
    mov     x1, x0
    mov     w0, #\clock
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
