// The entry points, arm. time_linux_amd64.S explains; this one differs in:
//
// ABI (AAPCS, ARM state; callers may be in Thumb state):
//
//   arguments      r0 r1; a hidden result pointer comes first (walltime, now)
//   results        r0 (low word), r1 (high word)
//   callee-saved   r4-r11 sp
//   at entry       sp is a multiple of 8
//
// Unwinders: the C++ runtime's reads EHABI (.fnstart, .save, .setfp), debuggers
// read the CFI; both say the same.
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   r11 + 4   lr, return address = PC    sp + 16  runtime_now: second timespec
//   r11 + 0   caller's r11               sp + 0   timespec
//   r11 - 4   r5
//   r11 - 8   r4
//   r11 - 12  m.vdsoFP at entry
//   r11 - 16  unused, for alignment
//
// Register plan: r4 = m, r5 = result pointer, and r11 as above, for the whole
// function. The vDSO function keeps r4-r11, but uses them: a handler must not
// expect them to hold what they hold here.

#ifndef __arm__
#error "this file is for arm"
#endif

#include "runtime/time/reading_linux_arm.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotime(void) = runtime_nanotimeM(runtime_tlsM)
ENTRY(runtime_nanotime)
    LOAD_M  r0
END_INTO(runtime_nanotime)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    READING_BEGIN runtime_nanotimeM, r0, ts_size
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_slow
.Lnanotime_read:
    NANOSECONDS 0
    READING_END
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
END(runtime_nanotimeM)

// runtime_Walltime runtime_walltime(void) = runtime_walltimeM(runtime_tlsM)
ENTRY(runtime_walltime)
    LOAD_M  r1
END_INTO(runtime_walltime)

// runtime_Walltime runtime_walltimeM(runtime_M* m); r0 = result, r1 = m
READING_ENTRY(runtime_walltimeM)
    READING_BEGIN runtime_walltimeM, r1, ts_size
    mov     r5, r0
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_slow
.Lwalltime_read:
    ldm     sp, {r0, r1, r2}        // sec, nsec
    stm     r5, {r0, r1, r2}
    mov     r0, r5
    READING_END
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
END(runtime_walltimeM)

// runtime_Now runtime_now(void) = runtime_nowM(runtime_tlsM)
ENTRY(runtime_now)
    LOAD_M  r1
END_INTO(runtime_now)

// runtime_Now runtime_nowM(runtime_M* m); r0 = result, r1 = m
READING_ENTRY(runtime_nowM)
    READING_BEGIN runtime_nowM, r1, 2*ts_size
    mov     r5, r0
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lnow_slow_wall
.Lnow_read_wall:
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow_mono
.Lnow_read_mono:
    ldm     sp, {r0, r1, r2}
    stm     r5, {r0, r1, r2}        // result.sec, result.nsec
    NANOSECONDS ts_size
    strd    r0, r1, [r5, #16]       // result.mono
    mov     r0, r5
    READING_END
.Lnow_slow_wall:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lnow_read_wall
.Lnow_slow_mono:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_read_mono
END(runtime_nowM)

HIDDEN_LABEL(runtime_entryEnd)

    DEBUG_INFO_BEGIN runtime_entryBegin, runtime_entryEnd
    DEBUG_INFO runtime_nanotimeM
    DEBUG_INFO runtime_walltimeM
    DEBUG_INFO runtime_nowM
    DEBUG_INFO_END
