#include "tests/vdso_scan.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

#include <map>

namespace runtime {
namespace {

// Image is where the tables are in memory, by their tags.
class Image {
 public:
  explicit Image(uintptr_t base) {
    const auto* ehdr = reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* phdr =
        reinterpret_cast<const ElfW(Phdr)*>(base + ehdr->e_phoff);
    const ElfW(Dyn)* dyn = nullptr;
    for (size_t i = 0; i < ehdr->e_phnum; ++i) {
      if (phdr[i].p_type == PT_LOAD && phdr[i].p_offset == 0) {
        bias_ = base - phdr[i].p_vaddr;
      }
      // By its place in the file, to stay clear of addresses.
      if (phdr[i].p_type == PT_DYNAMIC) {
        dyn = reinterpret_cast<const ElfW(Dyn)*>(base + phdr[i].p_offset);
      }
    }
    for (; dyn != nullptr && dyn->d_tag != DT_NULL; ++dyn) {
      tags_[dyn->d_tag] = dyn->d_un.d_ptr;
    }
  }

  template <typename T>
  const T* Table(int64_t tag) const {
    const auto found = tags_.find(tag);
    if (found == tags_.end()) return nullptr;
    return reinterpret_cast<const T*>(bias_ + found->second);
  }

  uintptr_t bias() const { return bias_; }

 private:
  uintptr_t bias_ = 0;
  std::map<int64_t, uintptr_t> tags_;
};

// SymbolCount reads DT_HASH, or finds the end of the last chain of DT_GNU_HASH.
size_t SymbolCount(const Image& image) {
  if (const auto* hash = image.Table<uint32_t>(DT_HASH)) return hash[1];
  const auto* gnu = image.Table<uint32_t>(DT_GNU_HASH);
  if (gnu == nullptr) return 0;
  const uint32_t sym_off = gnu[1];
  const uint32_t* bucket = gnu + 4 + gnu[2] * sizeof(ElfW(Addr)) / 4;
  const uint32_t* chain = bucket + gnu[0];
  uint32_t last = 0;
  for (uint32_t i = 0; i < gnu[0]; ++i) {
    if (bucket[i] > last) last = bucket[i];
  }
  if (last < sym_off) return sym_off;
  while ((chain[last - sym_off] & 1) == 0) ++last;
  return last + 1;
}

std::string VersionOf(const Image& image, size_t symbol) {
  const auto* versym = image.Table<ElfW(Half)>(DT_VERSYM);
  const char* addr = image.Table<char>(DT_VERDEF);
  const char* strings = image.Table<char>(DT_STRTAB);
  if (versym == nullptr || addr == nullptr) return "";
  while (true) {
    const auto* def = reinterpret_cast<const ElfW(Verdef)*>(addr);
    const auto* aux =
        reinterpret_cast<const ElfW(Verdaux)*>(addr + def->vd_aux);
    if (def->vd_ndx == (versym[symbol] & 0x7fff)) {
      return strings + aux->vda_name;
    }
    if (def->vd_next == 0) return "";
    addr += def->vd_next;
  }
}

}  // namespace

uintptr_t ScanVdso(uintptr_t base, const std::string& name,
                   const std::string& version) {
  const Image image(base);
  const auto* symtab = image.Table<ElfW(Sym)>(DT_SYMTAB);
  const char* strings = image.Table<char>(DT_STRTAB);
  for (size_t i = 1; i < SymbolCount(image); ++i) {
    if (symtab[i].st_shndx != SHN_UNDEF &&
        strings + symtab[i].st_name == name && VersionOf(image, i) == version) {
      return image.bias() + symtab[i].st_value;
    }
  }
  return 0;
}

}  // namespace runtime
