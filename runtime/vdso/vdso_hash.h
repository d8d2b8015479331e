// Symbol hashes of the ELF ABI, computed by the compiler: a table of names
// cannot disagree with its hashes (golang/go#62309).
//
// Loader file: Go spelling.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_HASH_H_
#define RUNTIME_VDSO_VDSO_HASH_H_

#include <stdint.h>

namespace runtime {

// vdsoSymHash is the hash of DT_HASH and of vd_hash.
// Source: System V ABI, "Hash Table".
constexpr uint32_t vdsoSymHash(const char* name) {
  uint32_t h = 0;
  for (; *name != '\0'; ++name) {
    h = (h << 4) + static_cast<unsigned char>(*name);
    const uint32_t top = h & 0xf0000000;
    h = (h ^ (top >> 24)) & ~top;
  }
  return h;
}

// vdsoGNUHash is the hash of DT_GNU_HASH.
// Source: the GNU C library's dl-new-hash.h (Bernstein's times 33).
constexpr uint32_t vdsoGNUHash(const char* name) {
  uint32_t h = 5381;
  for (; *name != '\0'; ++name) h = h * 33 + static_cast<unsigned char>(*name);
  return h;
}

// The published values: Go's vdso_linux_<arch>.go, and glibc's dl-hash.h.
static_assert(vdsoSymHash("LINUX_2.5") == 0x3ae75f5);
static_assert(vdsoSymHash("LINUX_2.6") == 0x3ae75f6);
static_assert(vdsoSymHash("LINUX_2.6.39") == 0x75fcb89);
static_assert(vdsoSymHash("__vdso_clock_gettime") == 0xd35ec75);
static_assert(vdsoGNUHash("__vdso_clock_gettime") == 0x6e43a318);
static_assert(vdsoSymHash("__vdso_clock_gettime64") == 0x5ec75a4);
static_assert(vdsoGNUHash("__vdso_clock_gettime64") == 0xdb8d042);
static_assert(vdsoSymHash("__kernel_clock_gettime") == 0xb0cd725);
static_assert(vdsoGNUHash("__kernel_clock_gettime") == 0xdfa941fd);
static_assert(vdsoSymHash("__kernel_vsyscall") == 0x426113c);
static_assert(vdsoGNUHash("__kernel_vsyscall") == 0xa77684b4);

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_HASH_H_
