// The entry points, 386. time_linux_amd64.S explains; this one differs in:
//
// ABI (System V i386):
//
//   arguments      the stack; a hidden result pointer comes first (walltime,
//                  now), and the function takes it off the stack: ret $4
//   results        eax (low word), edx (high word)
//   callee-saved   ebx esi edi ebp esp; the direction flag is clear
//   at entry       esp + 4 is a multiple of 16, but older code keeps only 4
//
//   caller's stack                       vDSO stack (m.vdsoStackHi at the top)
//   ebp + 12  m (walltimeM, nowM)        esp + 32  runtime_now: monotonic time
//   ebp + 8   m, or result pointer       esp + 16  timespec
//   ebp + 4   return address  = PC       esp + 4   argument ts
//   ebp + 0   caller's ebp               esp + 0   argument clockid
//   ebp - 4   ebx                        esp - 4   return address of the route
//   ebp - 8   esi
//   ebp - 12  m.vdsoFP at entry
//   ebp - 16  vdsoFP of no M
//
// Register plan: esi = m, ebx = the global offset table, by which position-
// independent code reaches data, and ebp as above, for the whole function.

#ifndef __i386__
#error "this file is for 386"
#endif

#include "runtime/time/reading_linux_386.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    READING_BEGIN
    LOAD_M  8
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
    NANOSECONDS 0
    READING_END 0
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
END(runtime_nanotime)

// runtime_Walltime runtime_walltimeM(runtime_M* m)
READING_ENTRY(runtime_walltimeM)
    READING_BEGIN
    LOAD_M  12
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
    movl    8(%ebp), %eax           // result
    COPY_WALL
    READING_END 4
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
END(runtime_walltime)

// runtime_Now runtime_nowM(runtime_M* m)
READING_ENTRY(runtime_nowM)
    READING_BEGIN
    LOAD_M  12
    jmp     .Lnow
END(runtime_nowM)

// runtime_Now runtime_now(void)
READING_ENTRY(runtime_now)
    READING_BEGIN
    LOAD_M_OF_THREAD
.Lnow:
    SWITCH runtime_now, 2*ts_size
    testl   %eax, %eax              // nested, or no M
    jnz     .Lnow_slow
    movl    runtime_route@GOTOFF + page_generation(%ebx), %ecx
    cmpl    %ecx, m_held + held_generation(%esi)
    jne     .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC_COARSE, 0, .Lnow_slow
    cmpl    m_held + held_coarseNsec(%esi), %ecx
    jne     .Lnow_slow
    movl    ARGS_SIZE + ts_sec(%esp), %eax
    cmpl    m_held + held_coarseSec(%esi), %eax
    jne     .Lnow_slow
    movl    ARGS_SIZE + ts_sec + 4(%esp), %eax
    cmpl    m_held + held_coarseSec + 4(%esi), %eax
    jne     .Lnow_slow
    ADD_HELD
.Lnow_read:
    NANOSECONDS ts_size
    movl    %eax, %ecx
    movl    8(%ebp), %eax           // result
    movl    %ecx, 12(%eax)          // result.mono
    movl    %edx, 16(%eax)
    COPY_WALL
    READING_END 4
.Lnow_slow:
    READ_PAIR
    jmp     .Lnow_read
END(runtime_now)

HIDDEN_LABEL(runtime_entryEnd)

    DEBUG_INFO_BEGIN runtime_entryBegin, runtime_entryEnd
    DEBUG_INFO runtime_nanotime
    DEBUG_INFO runtime_walltime
    DEBUG_INFO runtime_now
    DEBUG_INFO_END
