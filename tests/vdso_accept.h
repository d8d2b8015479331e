// What a loader may accept of an image that may be spoiled.

#ifndef TESTS_VDSO_ACCEPT_H_
#define TESTS_VDSO_ACCEPT_H_

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace runtime {

// IsCode tells whether addr is in the image of size bytes at base, and in what
// its program headers, which the loader must have found sound, call executable.
inline bool IsCode(uintptr_t base, size_t size, uintptr_t addr) {
  if (addr - base >= size) return false;
  const auto* ehdr = reinterpret_cast<const ElfW(Ehdr)*>(base);
  const auto* phdr = reinterpret_cast<const ElfW(Phdr)*>(base + ehdr->e_phoff);
  const ElfW(Phdr)* first = nullptr;
  for (size_t i = 0; i < ehdr->e_phnum; ++i) {
    if (phdr[i].p_type != PT_LOAD) continue;
    if (first == nullptr) first = &phdr[i];
    const uintptr_t start =
        base + first->p_offset + phdr[i].p_vaddr - first->p_vaddr;
    if ((phdr[i].p_flags & PF_X) != 0 && addr - start < phdr[i].p_memsz) {
      return true;
    }
  }
  return false;
}

}  // namespace runtime

#endif  // TESTS_VDSO_ACCEPT_H_
