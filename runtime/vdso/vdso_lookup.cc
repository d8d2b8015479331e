// Looking symbols up in an image whose tables have been found.
//
// Loader file: Go spelling. Names of the ELF ABI stay as they are.
// NOLINTBEGIN(readability-identifier-naming)

#include "runtime/vdso/vdso_linux.h"
#include "runtime/vdso/vdso_read.h"

namespace runtime {
namespace {

// vdsoModulo is hash % n, bit by bit: ARMv7 has no divide instruction, and
// libgcc's function for it wants libc's raise. n is below 2^31 (nothing wraps):
// that many buckets are in no image.
uint32_t vdsoModulo(uint32_t hash, uint32_t n) {
  uint32_t rest = 0;
  for (int bit = 31; bit >= 0; --bit) {
    rest = rest << 1 | (hash >> bit & 1);
    if (rest >= n) rest -= n;
  }
  return rest;
}

// vdsoSymbolAt returns the symbol at index if it is the function that key asks
// for, or nullptr.
const ElfW(Sym) * vdsoSymbolAt(const vdsoInfo* info, uint32_t index,
                               const vdsoSymbolKey& key, int32_t version) {
  const auto* sym = vdsoElement<ElfW(Sym)>(info, info->symtab, index);
  if (sym == nullptr) return nullptr;
  // The macros of the two classes are the same.
  const unsigned type = ELF64_ST_TYPE(sym->st_info);
  const unsigned bind = ELF64_ST_BIND(sym->st_info);
  if (type != STT_FUNC && type != STT_NOTYPE) return nullptr;
  if (bind != STB_GLOBAL && bind != STB_WEAK) return nullptr;
  if (sym->st_shndx == SHN_UNDEF || sym->st_value == 0) return nullptr;
  if (version != vdsoAnyVersion) {
    const auto* versym = vdsoElement<ElfW(Half)>(info, info->versym, index);
    if (versym == nullptr || (*versym & vdsoIndexMask) != version)
      return nullptr;
  }
  return vdsoNameIs(info, sym->st_name, key.name) ? sym : nullptr;
}

// vdsoLookupGNUHash looks the symbol up in DT_GNU_HASH. The chain has the
// hashes of the symbols from gnuSymOff on; bit 0 marks a bucket's last.
const ElfW(Sym) * vdsoLookupGNUHash(const vdsoInfo* info,
                                    const vdsoSymbolKey& key, int32_t version) {
  if (info->gnuBucket.len == 0) return nullptr;
  uint32_t index = info->gnuBucket[vdsoModulo(
      key.gnuHash, static_cast<uint32_t>(info->gnuBucket.len))];
  for (int step = 0; step < vdsoMaxChain; ++step, ++index) {
    if (index < info->gnuSymOff) return nullptr;
    const auto* entry =
        vdsoElement<uint32_t>(info, info->gnuChain, index - info->gnuSymOff);
    if (entry == nullptr) return nullptr;
    if ((*entry | 1) == (key.gnuHash | 1)) {
      const auto* sym = vdsoSymbolAt(info, index, key, version);
      if (sym != nullptr) return sym;
    }
    if ((*entry & 1) != 0) return nullptr;
  }
  return nullptr;
}

// vdsoLookupHash looks the symbol up in DT_HASH. The chain has the index of the
// bucket's next symbol.
const ElfW(Sym) * vdsoLookupHash(const vdsoInfo* info, const vdsoSymbolKey& key,
                                 int32_t version) {
  if (info->bucket.len == 0) return nullptr;
  uint32_t index = info->bucket[vdsoModulo(
      key.symHash, static_cast<uint32_t>(info->bucket.len))];
  for (int step = 0; step < vdsoMaxChain; ++step) {
    if (index == STN_UNDEF || index >= info->chain.len) return nullptr;
    const auto* sym = vdsoSymbolAt(info, index, key, version);
    if (sym != nullptr) return sym;
    index = info->chain[index];
  }
  return nullptr;
}

}  // namespace

int32_t vdsoFindVersion(const vdsoInfo* info, const vdsoVersionKey* ver) {
  if (!info->valid) return vdsoNoVersion;
  if (info->verdef == 0) return vdsoAnyVersion;
  uintptr_t addr = info->verdef;
  for (int i = 0; i < vdsoMaxVersions; ++i) {
    const auto def = vdsoAt<ElfW(Verdef)>(info, addr, 1);
    if (def.len == 0) break;
    const int32_t index = def[0].vd_ndx & vdsoIndexMask;
    if ((def[0].vd_flags & VER_FLG_BASE) == 0 && index != VER_NDX_LOCAL &&
        def[0].vd_hash == ver->verHash) {
      const auto aux = vdsoAt<ElfW(Verdaux)>(info, addr + def[0].vd_aux, 1);
      if (aux.len != 0 && vdsoNameIs(info, aux[0].vda_name, ver->version))
        return index;
    }
    if (def[0].vd_next == 0) break;
    addr += def[0].vd_next;
  }
  return vdsoNoVersion;
}

void vdsoParseSymbols(const vdsoInfo* info, vdsoSlice<vdsoSymbolKey> keys,
                      vdsoSymbols* syms) {
  if (!info->valid) return;
  for (size_t i = 0; i < keys.len; ++i) {
    const int32_t version = vdsoFindVersion(info, &keys[i].version);
    if (version == vdsoNoVersion) continue;
    // A broken table of one kind does not spoil the other.
    const auto* sym = vdsoLookupGNUHash(info, keys[i], version);
    if (sym == nullptr) sym = vdsoLookupHash(info, keys[i], version);
    if (sym == nullptr) continue;
    const uintptr_t addr = vdsoAddress(info, sym->st_value);
    if (vdsoInExecRange(info, addr)) syms->*keys[i].sym = addr;
  }
}

bool vdsoInExecRange(const vdsoInfo* info, uintptr_t addr) {
  for (size_t i = 0; i < info->phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info->phdrs[i];
    if (vdsoIsText(pt) && addr - (info->loadOffset + pt.p_vaddr) < pt.p_memsz)
      return true;
  }
  return false;
}

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)
