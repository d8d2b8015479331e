// The one header of the project's assembly files. Including it promises:
//
//   - no executable stack (.note.GNU-stack);
//   - amd64 and 386: every function starts with endbr, so indirect branch
//     tracking works; every call is matched by its return on the same shadow
//     stack, so shadow stacks work too;
//   - arm64: every function starts with bti c;
//   - arm: functions are ARM code, marked as such for callers in Thumb.
//
// ENTRY(f) ... END(f) brackets a public function, HIDDEN_ENTRY(f) ... END(f)
// one that stays inside the library. Both open the DWARF CFI and, on arm, the
// EHABI unwind table; the function's body describes its own frame in them.

#ifndef RUNTIME_SYS_ASM_H_
#define RUNTIME_SYS_ASM_H_

#ifndef __ASSEMBLER__
#error "asm.h is for assembly files"
#endif

// Assembly looks like C++ to it.
// clang-format off

#if defined(__x86_64__)
#define RUNTIME_TYPE_FUNCTION @function
#define RUNTIME_FUNCTION_START endbr64
#define RUNTIME_FUNCTION_END
#elif defined(__i386__)
#define RUNTIME_TYPE_FUNCTION @function
#define RUNTIME_FUNCTION_START endbr32
#define RUNTIME_FUNCTION_END
#elif defined(__aarch64__)
#define RUNTIME_TYPE_FUNCTION %function
#define RUNTIME_FUNCTION_START hint #34 /* bti c: a no-op before ARMv8.5 */
#define RUNTIME_FUNCTION_END
#elif defined(__arm__)
#define RUNTIME_TYPE_FUNCTION %function
#define RUNTIME_FUNCTION_START .fnstart
#define RUNTIME_FUNCTION_END .fnend
.syntax unified
.arch armv7-a
.arm
// As in unwind_arm.h.
.weak __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1
.set .Lunwind_pr0, __aeabi_unwind_cpp_pr0
.set .Lunwind_pr1, __aeabi_unwind_cpp_pr1
#else
#error "no such architecture"
#endif

#define ENTRY(name)                  \
  .text;                             \
  .globl name;                       \
  .type name, RUNTIME_TYPE_FUNCTION; \
  .p2align 4;                        \
  name: .cfi_startproc;              \
  RUNTIME_FUNCTION_START

#define HIDDEN_ENTRY(name) \
  .hidden name;            \
  ENTRY(name)

// END_INTO ends a function that runs on into the next one: the padding between
// the two still belongs to it, so that every instruction has unwind data.
#define END_INTO(name) \
  .p2align 4;          \
  END(name)

#define END(name)       \
  RUNTIME_FUNCTION_END; \
  .cfi_endproc;         \
  .Lend_##name:         \
  .size name, . - name

// HIDDEN_LABEL marks a place among the functions.
#define HIDDEN_LABEL(name) \
  .text;                   \
  .hidden name;            \
  .globl name;             \
  name:

#if defined(__arm__)
.pushsection .note.GNU-stack, "", %progbits
.popsection
#else
.pushsection .note.GNU-stack, "", @progbits
.popsection
#endif

// The linker keeps a program's IBT, shadow stack or BTI mark only when every
// object has it. Source: the x86-64 psABI and the AArch64 ELF ABI, "Program
// Property".
#if !defined(__arm__)
.pushsection .note.gnu.property, "a", %note
#ifdef __LP64__
#define RUNTIME_PROPERTY_ALIGN 3
#else
#define RUNTIME_PROPERTY_ALIGN 2
#endif
.p2align RUNTIME_PROPERTY_ALIGN
.long 4               // name size
.long 2f - 1f         // descriptor size
.long 5               // NT_GNU_PROPERTY_TYPE_0
.asciz "GNU"
1:
#if defined(__aarch64__)
.long 0xc0000000      // GNU_PROPERTY_AARCH64_FEATURE_1_AND
.long 4
.long 1               // BTI
#else
.long 0xc0000002      // GNU_PROPERTY_X86_FEATURE_1_AND
.long 4
.long 3               // IBT, SHSTK
#endif
.p2align RUNTIME_PROPERTY_ALIGN
2:
.popsection
#endif

#endif  // RUNTIME_SYS_ASM_H_
