// The ABI checker's trampoline, 386. abi_check_linux_amd64.S explains.
//
// Words of saved_before and saved_after: ebx esi edi ebp.

#ifndef __i386__
#error "this file is for 386"
#endif

#include "runtime/sys/asm.h"
#include "tests/abi_check.h"

// DATA sets ecx to the global offset table.
.macro DATA
    call    runtime_sysGetPC
    addl    $_GLOBAL_OFFSET_TABLE_, %ecx
.endm

// void abi_call(AbiCall* call)
ENTRY(abi_call)
    pushl   %ebp
    pushl   %ebx
    pushl   %esi
    pushl   %edi
    movl    20(%esp), %edx          // call
    DATA
    movl    %edx, abi_current@GOTOFF(%ecx)
    movl    %esp, abi_esp@GOTOFF(%ecx)
    subl    $16, %esp
    andl    $-16, %esp              // a multiple of 16 at the call
    movl    call_args + 0(%edx), %eax
    movl    %eax, (%esp)
    movl    call_args + 4(%edx), %eax
    movl    %eax, 4(%esp)
    movl    call_args + 8(%edx), %eax
    movl    %eax, 8(%esp)
    movl    %esp, call_sp_before(%edx)
    movl    call_saved_before + 0(%edx), %ebx
    movl    call_saved_before + 4(%edx), %esi
    movl    call_saved_before + 8(%edx), %edi
    movl    call_saved_before + 12(%edx), %ebp
    call    *call_fn(%edx)
    // eax and edx hold the result; esp may be off, but points to the stack.
    DATA
    pushl   %edx
    movl    abi_current@GOTOFF(%ecx), %edx
    movl    %eax, call_result + 0(%edx)
    popl    call_result + 4(%edx)
    movl    %esp, call_sp_after(%edx)
    movl    %ebx, call_saved_after + 0(%edx)
    movl    %esi, call_saved_after + 4(%edx)
    movl    %edi, call_saved_after + 8(%edx)
    movl    %ebp, call_saved_after + 12(%edx)
    pushfl
    popl    call_flags(%edx)
    cld
    movl    abi_esp@GOTOFF(%ecx), %esp
    popl    %edi
    popl    %esi
    popl    %ebx
    popl    %ebp
    ret
END(abi_call)

// int abi_probe_route(int32_t clockid, KernelTimespec* ts)
ENTRY(abi_probe_route)
    DATA
    movl    %esp, abi_probe_sp@GOTOFF(%ecx)
    pushfl
    popl    abi_probe_flags@GOTOFF(%ecx)
    movl    8(%esp), %edx           // ts
.irp offset, 0, 4, 8, 12
    movl    \offset + abi_probe_time@GOTOFF(%ecx), %eax
    movl    %eax, \offset(%edx)
.endr
    movl    $-1, %ecx
    movl    $-1, %edx
    xorl    %eax, %eax
    ret
END(abi_probe_route)

ENTRY(abi_bad_saved_first)
    notl    %ebx
    ret
END(abi_bad_saved_first)

ENTRY(abi_bad_saved_last)
    notl    %ebp
    ret
END(abi_bad_saved_last)

ENTRY(abi_bad_sp)
    popl    %ecx
    pushl   %ecx
    pushl   %ecx
    jmp     *%ecx
END(abi_bad_sp)

ENTRY(abi_bad_flags)
    std
    ret
END(abi_bad_flags)

.bss
.p2align 3
.irp name, abi_probe_time, abi_probe_sp, abi_probe_flags
.globl  \name
.hidden \name
.endr
abi_probe_time:  .skip 16
abi_probe_sp:    .skip 4
abi_probe_flags: .skip 4
abi_current:     .skip 4
abi_esp:         .skip 4
