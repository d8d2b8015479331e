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
//   r11 + 4   lr, return address = PC    sp + 16  runtime_now: monotonic time
//   r11 + 0   caller's r11               sp + 0   timespec
//   r11 - 4   r5
//   r11 - 8   r4
//   r11 - 12  m.vdsoFP at entry
//   r11 - 16  vdsoFP of no M
//
// Register plan: r4 = m, r5 = result pointer, and r11 as above, for the whole
// function. The vDSO function keeps r4-r11, but uses them: a handler must not
// expect them to hold what they hold here.

#ifndef __arm__
#error "this file is for arm"
#endif

#include "runtime/time/reading_linux_arm.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    READING_BEGIN
    LOAD_M  r0
    b       .Lnanotime
END(runtime_nanotimeM)

// int64_t runtime_nanotime(void)
READING_ENTRY(runtime_nanotime)
    READING_BEGIN
    LOAD_M_OF_THREAD runtime_nanotime
.Lnanotime:
    SWITCH runtime_nanotime, ts_size
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_slow
.Lnanotime_read:
    NANOSECONDS 0
    READING_END
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
    LITERALS runtime_nanotime
END(runtime_nanotime)

// runtime_Walltime runtime_walltimeM(runtime_M* m); r0 = result, r1 = m
READING_ENTRY(runtime_walltimeM)
    READING_BEGIN
    LOAD_M  r1
    b       .Lwalltime
END(runtime_walltimeM)

// runtime_Walltime runtime_walltime(void); r0 = result
READING_ENTRY(runtime_walltime)
    READING_BEGIN
    LOAD_M_OF_THREAD runtime_walltime
.Lwalltime:
    SWITCH runtime_walltime, ts_size
    mov     r5, r0
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_slow
.Lwalltime_read:
    ldm     sp, {r0, r1, r2}        // sec, nsec
    stm     r5, {r0, r1, r2}
    mov     r0, r5
    READING_END
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
    LITERALS runtime_walltime
END(runtime_walltime)

// runtime_Now runtime_nowM(runtime_M* m); r0 = result, r1 = m
READING_ENTRY(runtime_nowM)
    READING_BEGIN
    LOAD_M  r1
    b       .Lnow
END(runtime_nowM)

// runtime_Now runtime_now(void); r0 = result
READING_ENTRY(runtime_now)
    READING_BEGIN
    LOAD_M_OF_THREAD runtime_now
.Lnow:
    SWITCH runtime_now, 2*ts_size
    mov     r5, r0
    cmp     r12, #0                 // nested, or no M
    bne     .Lnow_slow
    movw    r12, #:lower16:(runtime_route + page_generation - (.Lnow_generation + 8))
    movt    r12, #:upper16:(runtime_route + page_generation - (.Lnow_generation + 8))
.Lnow_generation:
    ldr     r12, [pc, r12]
    ldr     r3, [r4, #m_held + held_generation]
    cmp     r3, r12
    bne     .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC_COARSE, 0, .Lnow_slow
    ldrd    r2, r3, [r4, #m_held + held_coarseSec]
    cmp     r1, r3
    ldreq   r0, [sp, #ts_sec]
    cmpeq   r0, r2
    ldreq   r0, [r4, #m_held + held_coarseNsec]
    cmpeq   r0, r12
    bne     .Lnow_slow
    ADD_HELD
.Lnow_read:
    NANOSECONDS ts_size
    strd    r0, r1, [r5, #16]       // result.mono
    ldm     sp, {r0, r1, r2}
    stm     r5, {r0, r1, r2}        // result.sec, result.nsec
    mov     r0, r5
    READING_END
.Lnow_slow:
    READ_PAIR
    b       .Lnow_read
    LITERALS runtime_now
END(runtime_now)

HIDDEN_LABEL(runtime_entryEnd)

    DEBUG_INFO_BEGIN runtime_entryBegin, runtime_entryEnd
    DEBUG_INFO runtime_nanotime
    DEBUG_INFO runtime_walltime
    DEBUG_INFO runtime_now
    DEBUG_INFO_END
