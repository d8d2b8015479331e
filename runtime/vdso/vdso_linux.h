// The vDSO loader: from an ELF image that the kernel has mapped to the
// addresses of its functions. Shape and names are those of Go's vdso_linux.go;
// unlike it, nothing in the image is believed before it is checked, and the
// only way to fail is "unresolved". All reads lie within the image's PT_LOAD
// extent, all walks end.
//
// Source: System V ABI and the gABI's chapter 5 (program headers, dynamic
// section, hash table), LSB "Symbol Versioning", Linux
// Documentation/ABI/stable/vdso.
//
// Loader file: Go spelling. Names of the ELF ABI stay as they are.
// NOLINTBEGIN(readability-identifier-naming)

#ifndef RUNTIME_VDSO_VDSO_LINUX_H_
#define RUNTIME_VDSO_VDSO_LINUX_H_

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/vdso/vdso_hash.h"

namespace runtime {

// vdsoVersionKey names a version node of DT_VERDEF.
struct vdsoVersionKey {
  const char* version;
  uint32_t verHash;
};

// vdsoSymbols are the addresses that the loader is for; 0: not there.
struct vdsoSymbols {
  uintptr_t vdsoClockgettimeSym = 0;
  uintptr_t vdsoClockgettime64Sym = 0;  // 386, arm
  uintptr_t vdsoKernelVsyscallSym = 0;  // 386
};

// vdsoSymbolKey is a row of the symbol table: what to look for, and where its
// address goes.
struct vdsoSymbolKey {
  const char* name;
  uint32_t symHash;
  uint32_t gnuHash;
  vdsoVersionKey version;
  uintptr_t vdsoSymbols::*sym;
};

constexpr vdsoSymbolKey vdsoKey(const char* name, const char* version,
                                uintptr_t vdsoSymbols::*sym) {
  return {name,
          vdsoSymHash(name),
          vdsoGNUHash(name),
          {version, vdsoSymHash(version)},
          sym};
}

// vdsoSlice is a checked part of an image. Indexing is the caller's care: a
// library's span would bring an assertion handler, and with it libc.
template <typename T>
struct vdsoSlice {
  const T* ptr = nullptr;
  size_t len = 0;

  const T& operator[](size_t i) const { return ptr[i]; }
};

// vdsoInfo is what the loader knows of one image. Everything in it has been
// checked to lie within [loadStart, loadEnd).
struct vdsoInfo {
  bool valid = false;  // set last

  uintptr_t loadStart = 0;  // extent of the PT_LOAD segments in memory
  uintptr_t loadEnd = 0;
  uintptr_t loadOffset = 0;  // memory address - p_vaddr, modulo 2^32 or 2^64

  vdsoSlice<ElfW(Phdr)> phdrs;

  vdsoSlice<char> symstrings;
  vdsoSlice<ElfW(Sym)> symtab;   // up to the end of the image
  vdsoSlice<ElfW(Half)> versym;  // empty: the symbols have no versions
  uintptr_t verdef = 0;          // 0: no version is defined

  // The hash table, DT_GNU_HASH if isGNUHash, else DT_HASH.
  bool isGNUHash = false;
  vdsoSlice<uint32_t> bucket;
  vdsoSlice<uint32_t> chain;
  uint32_t symOff = 0;  // DT_GNU_HASH: the first symbol in the table
};

// vdsoAnyVersion is vdsoFindVersion's answer for an image without versions. No
// version has this index: it marks local symbols.
inline constexpr int32_t vdsoAnyVersion = VER_NDX_LOCAL;

// vdsoNoVersion is vdsoFindVersion's answer when the image has versions, but
// not this one: no symbol matches it.
inline constexpr int32_t vdsoNoVersion = -1;

// vdsoInitFromSysinfoEhdr reads the tables of the image at hdr into *info.
// hdr may point anywhere: nothing is touched before it is known to be mapped.
// Errors: info->valid is false.
void vdsoInitFromSysinfoEhdr(vdsoInfo* info, const ElfW(Ehdr) * hdr);

// vdsoFindVersion returns the index of a version for comparison with versym.
int32_t vdsoFindVersion(const vdsoInfo* info, const vdsoVersionKey* ver);

// vdsoParseSymbols stores the addresses of the symbols that the image has, and
// leaves the others alone. The Thumb bit of an address is kept.
void vdsoParseSymbols(const vdsoInfo* info, vdsoSlice<vdsoSymbolKey> keys,
                      vdsoSymbols* syms);

// vdsoInExecRange tells whether addr lies in one of the image's executable
// segments.
bool vdsoInExecRange(const vdsoInfo* info, uintptr_t addr);

// vdsoauxv looks at one entry of the auxiliary vector and, when it is
// AT_SYSINFO_EHDR, resolves this arch's symbols from the image there.
void vdsoauxv(uintptr_t tag, uintptr_t val, vdsoSymbols* syms);

// inVDSOPage tells whether pc lies in the code of the vDSO that vdsoauxv saw
// last. Signals: async-signal-safe.
bool inVDSOPage(uintptr_t pc);

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)

#endif  // RUNTIME_VDSO_VDSO_LINUX_H_
