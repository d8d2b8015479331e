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

// vdsoAt returns the len objects of type T at addr, or an empty slice if they
// are misaligned or not all within the image.
template <typename T>
vdsoSlice<T> vdsoAt(const vdsoInfo* info, uintptr_t addr, uintptr_t len) {
  if (addr < info->loadStart || addr > info->loadEnd) return {};
  if (addr % alignof(T) != 0) return {};
  if (len > (info->loadEnd - addr) / sizeof(T)) return {};
  return {reinterpret_cast<const T*>(addr), len};
}

// vdsoRest returns as many objects of type T as fit between addr and the end of
// the image.
template <typename T>
vdsoSlice<T> vdsoRest(const vdsoInfo* info, uintptr_t addr) {
  if (addr < info->loadStart || addr > info->loadEnd) return {};
  return vdsoAt<T>(info, addr, (info->loadEnd - addr) / sizeof(T));
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
  for (; offset < info->symstrings.len; ++offset, ++name) {
    if (info->symstrings[offset] != *name) return false;
    if (*name == '\0') return true;
  }
  return false;
}

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_READ_H_
