// What the vDSO of arm is called inside. Source: vdso(7).
//
// Loader file: Go spelling.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_LINUX_ARM_H_
#define RUNTIME_VDSO_VDSO_LINUX_ARM_H_

#include "runtime/vdso/vdso_linux.h"

namespace runtime {

inline constexpr unsigned char vdsoElfClass = ELFCLASS32;
inline constexpr unsigned vdsoElfMachine = EM_ARM;

inline constexpr vdsoSymbolKey vdsoSymbolKeys[] = {
    vdsoKey("__vdso_clock_gettime64", "LINUX_2.6",
            &vdsoSymbols::vdsoClockgettime64Sym),
    vdsoKey("__vdso_clock_gettime", "LINUX_2.6",
            &vdsoSymbols::vdsoClockgettimeSym),
};

// vdsoClockgettime64NeedsOld: kernels that cannot use the counter blank the
// name of the 32-bit function, and Linux 5.5 and 5.6 forgot the 64-bit one
// (raspberrypi/linux#3579): without the one, the other is not to be trusted.
inline constexpr bool vdsoClockgettime64NeedsOld = true;

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_LINUX_ARM_H_
