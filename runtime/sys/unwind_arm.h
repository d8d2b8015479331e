// Unwind tables without the unwinder, arm. NANOTIME_CORE_COPTS includes this
// file into every file of the core.
//
// An object with unwind tables names the routines that read them, only to have
// them linked (EHABI32, "Index table entries": R_ARM_NONE). Weak: a program
// with an unwinder has them, and one without does not need them for us.

#ifndef RUNTIME_SYS_UNWIND_ARM_H_
#define RUNTIME_SYS_UNWIND_ARM_H_

// The .set is a use: GNU as drops a weak symbol that only R_ARM_NONE names, and
// then fails. asm.h says the same to assembly files.
#ifndef __ASSEMBLER__
asm(".weak __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1\n"
    ".set .Lunwind_pr0, __aeabi_unwind_cpp_pr0\n"
    ".set .Lunwind_pr1, __aeabi_unwind_cpp_pr1");
#endif

#endif  // RUNTIME_SYS_UNWIND_ARM_H_
