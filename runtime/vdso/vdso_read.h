// Reading an image within its bounds: all that the loader reads it with.
//
// Loader file: Go spelling.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_READ_H_
#define RUNTIME_VDSO_VDSO_READ_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/vdso/vdso_linux.h"

namespace runtime {

// The limits of the loader's walks, so that the worst image costs a small
// number of steps (tests/vdso_steps_test.cc counts them).

// vdsoMaxImageSize bounds the extent. The largest seen is 12 KiB.
inline constexpr uintptr_t vdsoMaxImageSize = uintptr_t{256} << 10;

// vdsoMaxDynamic bounds the walks over PT_DYNAMIC.
inline constexpr uint32_t vdsoMaxDynamic = 256;

// vdsoMaxVersions bounds the walk over DT_VERDEF. The largest seen is 3.
inline constexpr int vdsoMaxVersions = 64;

// vdsoMaxChain bounds the walk along a hash chain. The largest table seen has
// less than 50 symbols.
inline constexpr int vdsoMaxChain = 128;

// vdsoAt returns the len objects of type T at addr, or an empty slice if they
// are misaligned or not all within the image.
template <typename T>
vdsoSlice<T> vdsoAt(const vdsoInfo* info, uintptr_t addr, uintptr_t len) {
  if (addr < info->loadStart || addr > info->loadEnd) return {};
  if (addr % alignof(T) != 0) return {};
  // The first test keeps the product of the second from wrapping. A quotient
  // would be a call of libgcc on arm.
  if (len > vdsoMaxImageSize || len * sizeof(T) > info->loadEnd - addr)
    return {};
  return {reinterpret_cast<const T*>(addr), len};
}

// vdsoElement returns the object of type T at index of the table at addr, or
// nullptr if the table is misaligned or its first index + 1 objects are not all
// within the image.
template <typename T>
const T* vdsoElement(const vdsoInfo* info, uintptr_t table, uint32_t index) {
  const auto slice = vdsoAt<T>(info, table, uintptr_t{index} + 1);
  return slice.len != 0 ? slice.ptr + index : nullptr;
}

// vdsoAddress turns an address of the image into one of memory, or returns 0.
// Some tools and emulators store addresses that are relocated already.
inline uintptr_t vdsoAddress(const vdsoInfo* info, uintptr_t vaddr) {
  const uintptr_t biased = info->loadOffset + vaddr;
  if (biased >= info->loadStart && biased < info->loadEnd) return biased;
  if (vaddr >= info->loadStart && vaddr < info->loadEnd) return vaddr;
  return 0;
}

// vdsoNameIs tells whether the string at offset in the string table is name.
inline bool vdsoNameIs(const vdsoInfo* info, uintptr_t offset,
                       const char* name) {
  if (offset >= info->symstrings.len) return false;
  const char* at = info->symstrings.ptr + offset;
  const char* end = info->symstrings.ptr + info->symstrings.len;
  for (; at != end && *at == *name; ++at, ++name) {
    if (*name == '\0') return true;
  }
  return false;
}

// vdsoIsText tells whether the segment is loaded as code.
inline bool vdsoIsText(const ElfW(Phdr) & pt) {
  return pt.p_type == PT_LOAD && (pt.p_flags & PF_X) != 0;
}

// vdsoIndexMask takes bit 15, hidden, from an index of DT_VERSYM or DT_VERDEF.
// Source: LSB, "Symbol Version Table".
inline constexpr uint16_t vdsoIndexMask = 0x7fff;

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_READ_H_
