// What a debugger is told of the entry points beside the call frame
// information.
//
// A stack that goes on at a lower address than it came from looks corrupt to
// gdb
// ("previous frame inner to this frame"), and a vDSO stack may lie anywhere.
// gdb does not look at the addresses when a frame of an inlined function comes
// between (gdb/frame.c: both frames must be NORMAL_FRAME). So the part of a
// reading that runs on the vDSO stack is described as one, vdsoCall:
//
//   #0  clock_gettime ()
//   #1  vdsoCall () at runtime/time/time_linux_amd64.S:55
//   #2  runtime_nanotime () at runtime/time/time_linux_amd64.S:55
//   #3  main () at ...
//
// It cannot be left to -g, which knows of no inlined functions in assembly, and
// which gives way to what stands here: one line number for each function.
//
// Source: DWARF 4, sections 3.3 and 7.5.

#ifndef RUNTIME_TIME_DEBUG_INFO_H_
#define RUNTIME_TIME_DEBUG_INFO_H_

// clang-format off

#ifdef __LP64__
#define DEBUG_ADDRESS .quad
#define DEBUG_ADDRESS_SIZE 8
#else
#define DEBUG_ADDRESS .long
#define DEBUG_ADDRESS_SIZE 4
#endif

.file 1 __BASE_FILE__

// READING_ENTRY(f) is ENTRY(f), with a line number, for functions with a READING_BEGIN.
#define READING_ENTRY(name)           \
  .set .Ldebug_line_##name, __LINE__; \
  .loc 1 __LINE__;                    \
  ENTRY(name)

// DEBUG_INFO_BEGIN, DEBUG_INFO f for each with a SWITCH f, and DEBUG_INFO_END
// stand behind the last function. The whole is one unit from begin to end.
.macro DEBUG_INFO_BEGIN begin, end
    .pushsection .debug_abbrev, ""
.Ldebug_abbrev:
    .byte   1, 0x11, 1              // 1: DW_TAG_compile_unit, with children
    .byte   0x13, 0x05              // DW_AT_language, DW_FORM_data2
    .byte   0x03, 0x08              // DW_AT_name, DW_FORM_string
    .byte   0x11, 0x01              // DW_AT_low_pc, DW_FORM_addr
    .byte   0x12, 0x01              // DW_AT_high_pc, DW_FORM_addr
    .byte   0x10, 0x17              // DW_AT_stmt_list, DW_FORM_sec_offset
    .byte   0, 0
    .byte   2, 0x2e, 0              // 2: DW_TAG_subprogram, vdsoCall itself
    .byte   0x03, 0x08              // DW_AT_name, DW_FORM_string
    .byte   0x20, 0x0b              // DW_AT_inline, DW_FORM_data1
    .byte   0, 0
    .byte   3, 0x2e, 1              // 3: DW_TAG_subprogram, with children
    .byte   0x03, 0x08              // DW_AT_name, DW_FORM_string
    .byte   0x3f, 0x19              // DW_AT_external, DW_FORM_flag_present
    .byte   0x11, 0x01              // DW_AT_low_pc, DW_FORM_addr
    .byte   0x12, 0x01              // DW_AT_high_pc, DW_FORM_addr
    .byte   0, 0
    .byte   4, 0x1d, 0              // 4: DW_TAG_inlined_subroutine
    .byte   0x31, 0x13              // DW_AT_abstract_origin, DW_FORM_ref4
    .byte   0x11, 0x01              // DW_AT_low_pc, DW_FORM_addr
    .byte   0x12, 0x01              // DW_AT_high_pc, DW_FORM_addr
    .byte   0x58, 0x0b              // DW_AT_call_file, DW_FORM_data1
    .byte   0x59, 0x05              // DW_AT_call_line, DW_FORM_data2
    .byte   0, 0
    .byte   0
    .popsection
    .pushsection .debug_line, ""
.Ldebug_line:                       // the assembler fills it
    .popsection
    .pushsection .debug_info, ""
.Ldebug_info:
    .long   .Ldebug_info_end - .Ldebug_info_version
.Ldebug_info_version:
    .short  4
    .long   .Ldebug_abbrev
    .byte   DEBUG_ADDRESS_SIZE
    .byte   1
    .short  0x8001                  // DW_LANG_Mips_Assembler: of any processor
    .asciz  __BASE_FILE__
    DEBUG_ADDRESS \begin, \end
    .long   .Ldebug_line
.Ldebug_vdso_call:
    .byte   2
    .asciz  "vdsoCall"
    .byte   1                       // DW_INL_inlined
.endm

.macro DEBUG_INFO name
    .byte   3
    .asciz  "\name"
    DEBUG_ADDRESS \name, .Lend_\name
    .byte   4
    .long   .Ldebug_vdso_call - .Ldebug_info
    DEBUG_ADDRESS .Lswitched_\name, .Lend_\name
    .byte   1
    .short  .Ldebug_line_\name
    .byte   0                       // no more children
.endm

.macro DEBUG_INFO_END
    .byte   0
.Ldebug_info_end:
    .popsection
.endm

#endif  // RUNTIME_TIME_DEBUG_INFO_H_
