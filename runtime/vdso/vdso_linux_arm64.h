// What the vDSO of arm64 is called inside. Source: vdso(7).
//
// Loader file: Go spelling.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_LINUX_ARM64_H_
#define RUNTIME_VDSO_VDSO_LINUX_ARM64_H_

#include "runtime/vdso/vdso_linux.h"

namespace runtime {

inline constexpr unsigned char vdsoElfClass = ELFCLASS64;
inline constexpr unsigned vdsoElfMachine = EM_AARCH64;

inline constexpr vdsoSymbolKey vdsoSymbolKeys[] = {
    vdsoKey("__kernel_clock_gettime", "LINUX_2.6.39",
            &vdsoSymbols::vdsoClockgettimeSym),
};

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_LINUX_ARM64_H_
