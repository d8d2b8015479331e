// The entry points, arm64. time_linux_amd64.S explains; this one differs in:
//
// ABI (AAPCS64):
//
//   arguments      x0; runtime_now's hidden result pointer is x8
//   results        x0, x1
//   callee-saved   x19-x29 sp
//   at any time    sp is a multiple of 16
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   x29 + 8   x30, return address = PC   sp + 16  runtime_now: monotonic time
//   x29 + 0   caller's x29               sp + 0   timespec
//   x29 - 8   result pointer
//   x29 - 16  m.vdsoFP at entry
//   x29 - 24  vdsoFP of no M
//   x29 - 32  x19                        The vDSO function has no frame at all.
//
// Register plan: x19 = m, and x29 as above, for the whole function.

#ifndef __aarch64__
#error "this file is for arm64"
#endif

#include "runtime/time/reading_linux_arm64.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    READING_BEGIN
    LOAD_M  x0
    b       .Lnanotime
END(runtime_nanotimeM)

// int64_t runtime_nanotime(void)
READING_ENTRY(runtime_nanotime)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lnanotime:
    SWITCH runtime_nanotime, ts_size
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_slow
.Lnanotime_read:
    NANOSECONDS x0
    READING_END
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
END(runtime_nanotime)

// runtime_Walltime runtime_walltimeM(runtime_M* m)
READING_ENTRY(runtime_walltimeM)
    READING_BEGIN
    LOAD_M  x0
    b       .Lwalltime
END(runtime_walltimeM)

// runtime_Walltime runtime_walltime(void)
READING_ENTRY(runtime_walltime)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lwalltime:
    SWITCH runtime_walltime, ts_size
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_slow
.Lwalltime_read:
    mov     x0, x3                  // sec
    mov     x1, x2                  // nsec
    READING_END
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
END(runtime_walltime)

// runtime_Now runtime_nowM(runtime_M* m); x8 = result
READING_ENTRY(runtime_nowM)
    READING_BEGIN
    LOAD_M  x0
    b       .Lnow
END(runtime_nowM)

// runtime_Now runtime_now(void); x8 = result
READING_ENTRY(runtime_now)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lnow:
    SWITCH runtime_now, 2*ts_size
    str     x8, [x29, #-8]
    cbnz    x9, .Lnow_slow          // nested, or no M
    adrp    x9, runtime_route
    add     x9, x9, :lo12:runtime_route
    ldr     w9, [x9, #page_generation]
    ldr     w10, [x19, #(m_held + held_generation)]
    cmp     w9, w10
    b.ne    .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC_COARSE, 0, .Lnow_slow
    ldp     x9, x10, [x19, #(m_held + held_coarseSec)]
    cmp     x3, x9
    ccmp    x2, x10, #0, eq
    b.ne    .Lnow_slow
    ldp     x3, x2, [sp, #ts_size]
    NANOSECONDS x0
    ldp     x9, x10, [x19, #(m_held + held_sec)]
    add     x3, x3, x9
    add     x2, x2, x10
    mov     w10, #(RUNTIME_NSEC_PER_SEC & 0xffff)
    movk    w10, #(RUNTIME_NSEC_PER_SEC >> 16), lsl #16
    subs    x9, x2, x10
    csel    x2, x9, x2, hs
    cinc    x3, x3, hs
.Lnow_read:
    ldr     x8, [x29, #-8]          // result
    str     x3, [x8]                // result.sec
    str     w2, [x8, #8]            // result.nsec
    str     x0, [x8, #16]           // result.mono
    READING_END
.Lnow_slow:
    READ_PAIR
    ldp     x3, x2, [sp, #ts_size]
    NANOSECONDS x0
    ldp     x3, x2, [sp]
    b       .Lnow_read
END(runtime_now)

HIDDEN_LABEL(runtime_entryEnd)

    DEBUG_INFO_BEGIN runtime_entryBegin, runtime_entryEnd
    DEBUG_INFO runtime_nanotime
    DEBUG_INFO runtime_walltime
    DEBUG_INFO runtime_now
    DEBUG_INFO_END
