// Looking a symbol up the slow way: by every row of the symbol table. For
// images that can be trusted.

#ifndef TESTS_VDSO_SCAN_H_
#define TESTS_VDSO_SCAN_H_

#include <stdint.h>

#include <string>

namespace runtime {

// ScanVdso returns the address of the function name@version in the image at
// base, or 0.
uintptr_t ScanVdso(uintptr_t base, const std::string& name,
                   const std::string& version);

}  // namespace runtime

#endif  // TESTS_VDSO_SCAN_H_
