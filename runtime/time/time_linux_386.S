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
//   ebp + 12  m (walltimeM, nowM)        esp + 32  runtime_now: second timespec
//   ebp + 8   m, or result pointer       esp + 16  timespec
//   ebp + 4   return address  = PC       esp + 4   argument ts
//   ebp + 0   caller's ebp               esp + 0   argument clockid
//   ebp - 4   ebx                        esp - 4   return address of the route
//   ebp - 8   esi
//   ebp - 12  m.vdsoFP at entry
//
// Register plan: esi = m, ebx = the global offset table, by which position-
// independent code reaches data, and ebp as above, for the whole function.
// From the entry to READING_BEGIN: eax = m, ecx = the global offset table.

#ifndef __i386__
#error "this file is for 386"
#endif

#include "runtime/time/reading_linux_386.h"

HIDDEN_LABEL(runtime_entryBegin)

// int64_t runtime_nanotime(void) = runtime_nanotimeM(runtime_tlsM)
ENTRY(runtime_nanotime)
    LOAD_M
    jmp     .Lnanotime_m
END(runtime_nanotime)

// int64_t runtime_nanotimeM(runtime_M* m)
READING_ENTRY(runtime_nanotimeM)
    LOAD_GOT
    movl    4(%esp), %eax           // m
.Lnanotime_m:
    READING_BEGIN runtime_nanotimeM, ts_size
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_slow
.Lnanotime_read:
    NANOSECONDS 0
    READING_END 0
.Lnanotime_slow:
    READ_SLOW RUNTIME_CLOCK_MONOTONIC, 0, .Lnanotime_read
END(runtime_nanotimeM)

// runtime_Walltime runtime_walltime(void) = runtime_walltimeM(runtime_tlsM)
ENTRY(runtime_walltime)
    LOAD_M
    jmp     .Lwalltime_m
END(runtime_walltime)

// runtime_Walltime runtime_walltimeM(runtime_M* m)
READING_ENTRY(runtime_walltimeM)
    LOAD_GOT
    movl    8(%esp), %eax           // m
.Lwalltime_m:
    READING_BEGIN runtime_walltimeM, ts_size
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_slow
.Lwalltime_read:
    movl    8(%ebp), %eax           // result
    COPY_WALL
    READING_END 4
.Lwalltime_slow:
    READ_SLOW RUNTIME_CLOCK_REALTIME, 0, .Lwalltime_read
END(runtime_walltimeM)

// runtime_Now runtime_now(void) = runtime_nowM(runtime_tlsM)
ENTRY(runtime_now)
    LOAD_M
    jmp     .Lnow_m
END(runtime_now)

// runtime_Now runtime_nowM(runtime_M* m)
READING_ENTRY(runtime_nowM)
    LOAD_GOT
    movl    8(%esp), %eax           // m
.Lnow_m:
    READING_BEGIN runtime_nowM, 2*ts_size
    CALL_ROUTE RUNTIME_CLOCK_REALTIME, 0, .Lnow_slow_wall
.Lnow_read_wall:
    CALL_ROUTE RUNTIME_CLOCK_MONOTONIC, ts_size, .Lnow_slow_mono
.Lnow_read_mono:
    NANOSECONDS ts_size
    movl    %eax, %ecx
    movl    8(%ebp), %eax           // result
    movl    %ecx, 12(%eax)          // result.mono
    movl    %edx, 16(%eax)
    COPY_WALL
    READING_END 4
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
