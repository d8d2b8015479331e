// The steps of a reading, 386. time_linux_386.S has the ABI table, the stack
// picture and the register plan; reading_linux_amd64.h explains.

#ifndef RUNTIME_TIME_READING_LINUX_386_H_
#define RUNTIME_TIME_READING_LINUX_386_H_

#include "runtime/sys/asm.h"
#include "runtime/time/asm_constants.h"
#include "runtime/time/debug_info.h"

// clang-format off

#define ARGS_SIZE 16

// READING_BEGIN also loads the global offset table.
.macro READING_BEGIN
    pushl   %ebp
    .cfi_def_cfa_offset 8
    .cfi_offset ebp, -8
    movl    %esp, %ebp
    .cfi_def_cfa_register ebp
    subl    $16, %esp
    movl    %ebx, -4(%ebp)
    .cfi_offset ebx, -12
    movl    %esi, -8(%ebp)
    .cfi_offset esi, -16
    call    runtime_sysGetPC        // to ecx
    leal    _GLOBAL_OFFSET_TABLE_(%ecx), %ebx
.endm

.macro LOAD_FIELDS segment, base
    movl    \segment m_vdsoFP(\base), %eax
    movl    \segment m_vdsoStackHi(\base), %ecx
    movl    %esp, %edx
    subl    \segment m_signalStackLo(\base), %edx
    cmpl    \segment m_signalStackSize(\base), %edx
    ja      .Lelsewhere\@
    xorl    %ecx, %ecx
.Lelsewhere\@:
.endm

.macro LOAD_M_OF_THREAD
    movl    runtime_tlsM@gotntpoff(%ebx), %esi
    LOAD_FIELDS %gs:, %esi
    addl    %gs:0, %esi
.endm

// LOAD_M: m is an argument's offset from ebp.
.macro LOAD_M m
    movl    \m(%ebp), %esi
    testl   %esi, %esi
    jnz     .Lm\@
    leal    -16(%ebp), %esi
    movl    $1, %eax
    xorl    %ecx, %ecx
    jmp     .Lloaded\@
.Lm\@:
    LOAD_FIELDS , %esi
.Lloaded\@:
.endm

.macro SWITCH name, space
    subl    $ARGS_SIZE + \space, %esp
    andl    $-16, %esp
    movl    %eax, -12(%ebp)
    movl    %ebp, m_vdsoFP(%esi)    // publish, then
    testl   %eax, %eax
    jnz     .Lstay\@
    testl   %ecx, %ecx
    jz      .Lstay\@
    leal    -(ARGS_SIZE + \space)(%ecx), %esp  // switch
.Lstay\@:
.Lswitched_\name:
.endm

.macro READING_END pop
    leal    -16(%ebp), %esp         // switch back, then
    movl    -12(%ebp), %ecx
    movl    %ecx, m_vdsoFP(%esi)    // withdraw
    movl    -4(%ebp), %ebx
    movl    -8(%ebp), %esi
    .cfi_remember_state
    .cfi_restore ebx
    .cfi_restore esi
    leave
    .cfi_def_cfa esp, 4
    .cfi_restore ebp
    ret     $\pop
    .cfi_restore_state
.endm

.macro CALL_ROUTE clock, offset, slow
    movl    $\clock, (%esp)
    CALL_ROUTE_OF_ARG \offset, \slow
    cmpl    $RUNTIME_SEC_UNWRITTEN_HI, ARGS_SIZE + \offset + ts_sec + 4(%esp)
    je      \slow
.endm

// CALL_ROUTE_OF_ARG: clockid is where the route looks for it. Leaves nsec in ecx.
.macro CALL_ROUTE_OF_ARG offset, slow
    movl    $RUNTIME_SEC_UNWRITTEN_HI, ARGS_SIZE + \offset + ts_sec + 4(%esp)
    movl    $-1, ARGS_SIZE + \offset + ts_nsec(%esp)
    movl    $-1, ARGS_SIZE + \offset + ts_nsec + 4(%esp)
    leal    ARGS_SIZE + \offset(%esp), %eax
    movl    %eax, 4(%esp)
    call    *runtime_route@GOTOFF + page_inUse(%ebx)
    orl     ARGS_SIZE + \offset + ts_nsec + 4(%esp), %eax  // both 0?
    jnz     \slow
    movl    ARGS_SIZE + \offset + ts_nsec(%esp), %ecx
    cmpl    $RUNTIME_NSEC_MAX, %ecx
    ja      \slow
.endm

.macro READ_SLOW clock, offset, back
    movl    $\clock, (%esp)
    leal    ARGS_SIZE + \offset(%esp), %eax
    movl    %eax, 4(%esp)
    call    runtime_readSlow
    movl    ARGS_SIZE + \offset + ts_nsec(%esp), %ecx
    jmp     \back
.endm

// NANOSECONDS converts the timespec at offset whose nsec is in ecx to eax and
// edx. Uses ecx.
.macro NANOSECONDS offset
    movl    $RUNTIME_NSEC_PER_SEC, %eax
    mull    ARGS_SIZE + \offset + ts_sec(%esp)
    addl    %ecx, %eax
    adcl    $0, %edx
    imull   $RUNTIME_NSEC_PER_SEC, ARGS_SIZE + \offset + ts_sec + 4(%esp), %ecx
    addl    %ecx, %edx
.endm

// COPY_WALL stores the first timespec as *eax's sec and nsec. Uses ecx.
.macro COPY_WALL
    movl    ARGS_SIZE + ts_sec(%esp), %ecx
    movl    %ecx, (%eax)
    movl    ARGS_SIZE + ts_sec + 4(%esp), %ecx
    movl    %ecx, 4(%eax)
    movl    ARGS_SIZE + ts_nsec(%esp), %ecx
    movl    %ecx, 8(%eax)
.endm

.macro READ_PAIR
    xorl    %eax, %eax
    cmpl    $0, -12(%ebp)
    jne     .Lnested\@
    leal    m_held(%esi), %eax
.Lnested\@:
    movl    %eax, (%esp)
    leal    ARGS_SIZE(%esp), %eax
    movl    %eax, 4(%esp)
    call    runtime_readPair
    movl    ARGS_SIZE + ts_size + ts_nsec(%esp), %ecx
.endm

// ADD_HELD makes of the first timespec the second one plus what the M holds.
.macro ADD_HELD
    movl    ARGS_SIZE + ts_size + ts_sec(%esp), %eax
    movl    ARGS_SIZE + ts_size + ts_sec + 4(%esp), %edx
    movl    ARGS_SIZE + ts_size + ts_nsec(%esp), %ecx
    addl    m_held + held_sec(%esi), %eax
    adcl    m_held + held_sec + 4(%esi), %edx
    addl    m_held + held_nsec(%esi), %ecx
    cmpl    $RUNTIME_NSEC_MAX, %ecx
    jbe     .Ladded\@
    subl    $RUNTIME_NSEC_PER_SEC, %ecx
    addl    $1, %eax
    adcl    $0, %edx
.Ladded\@:
    movl    %eax, ARGS_SIZE + ts_sec(%esp)
    movl    %edx, ARGS_SIZE + ts_sec + 4(%esp)
    movl    %ecx, ARGS_SIZE + ts_nsec(%esp)
    movl    ARGS_SIZE + ts_size + ts_nsec(%esp), %ecx
.endm

#endif  // RUNTIME_TIME_READING_LINUX_386_H_
