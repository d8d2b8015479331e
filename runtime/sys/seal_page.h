// The size of a sealed page, for C++ and assembly.

#ifndef RUNTIME_SYS_SEAL_PAGE_H_
#define RUNTIME_SYS_SEAL_PAGE_H_

// RUNTIME_SEAL_PAGE is the size of what seal.h protects, 0 when
// the build leaves it unprotected (--define=seal_page=0). A kernel with larger
// pages than this leaves it unprotected, too: arm64 ones may have 16384 or
// 65536, at the price of as much file and memory.
#ifndef RUNTIME_SEAL_PAGE
#define RUNTIME_SEAL_PAGE 4096
#endif

// RUNTIME_SEAL_ALIGN is the alignment of what would be sealed.
#if RUNTIME_SEAL_PAGE != 0
#define RUNTIME_SEAL_ALIGN RUNTIME_SEAL_PAGE
#else
#define RUNTIME_SEAL_ALIGN 16
#endif

#endif  // RUNTIME_SYS_SEAL_PAGE_H_
