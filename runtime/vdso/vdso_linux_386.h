// What the vDSO of 386 is called inside. Source: vdso(7).
//
// Loader file: Go spelling.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_LINUX_386_H_
#define RUNTIME_VDSO_VDSO_LINUX_386_H_

#include "runtime/vdso/vdso_linux.h"

namespace runtime {

inline constexpr unsigned char vdsoElfClass = ELFCLASS32;
inline constexpr unsigned vdsoElfMachine = EM_386;

inline constexpr vdsoSymbolKey vdsoSymbolKeys[] = {
    vdsoKey("__vdso_clock_gettime64", "LINUX_2.6",
            &vdsoSymbols::vdsoClockgettime64Sym),
    vdsoKey("__vdso_clock_gettime", "LINUX_2.6",
            &vdsoSymbols::vdsoClockgettimeSym),
    vdsoKey("__kernel_vsyscall", "LINUX_2.5",
            &vdsoSymbols::vdsoKernelVsyscallSym),
};

// vdsoClockgettime64NeedsOld is for arm alone: a 386 kernel without 32-bit
// times rightly has the 64-bit function and no other.
inline constexpr bool vdsoClockgettime64NeedsOld = false;

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_LINUX_386_H_
