// The vDSO loader: from an ELF image that the kernel has mapped to the
// addresses of its functions. Shape and names are those of Go's vdso_linux.go;
// unlike it, nothing in the image is believed before it is checked, and the
// only way to fail is "unresolved". All reads lie within the image's PT_LOAD
// extent, and all walks end soon: vdso_read.h has the limits.
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
  vdsoSymbols() {}  // GCC for arm would call memset in place of a default one

  uintptr_t vdsoClockgettimeSym = 0;
  uintptr_t vdsoClockgettime64Sym = 0;  // 386, arm
  uintptr_t vdsoKernelVsyscallSym = 0;  // 386

  // The image that vdsoauxv saw last, for a report; 0 and false if it was not
  // valid. Text: from the first executable segment's start to the last one's
  // end; 0 if there is none.
  uintptr_t vdsoLoadStart = 0;
  uintptr_t vdsoLoadEnd = 0;
  uintptr_t vdsoLoadOffset = 0;  // equals vdsoLoadStart: linked at 0
  uintptr_t vdsoTextStart = 0;
  uintptr_t vdsoTextEnd = 0;
  bool vdsoIsGNUHash = false;  // both tables: DT_GNU_HASH is asked first
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
  const T* ptr;
  size_t len;

  const T& operator[](size_t i) const { return ptr[i]; }
};

// vdsoInfo is what the loader knows of one image; until valid is true, nothing
// else in it means anything. Slices have been checked to lie in the image, the
// addresses of tables of unknown size to begin there. Nothing is initialised:
// compilers would call memset.
struct vdsoInfo {
  bool valid;  // set last

  uintptr_t loadStart;  // extent of the PT_LOAD segments in memory
  uintptr_t loadEnd;
  uintptr_t loadOffset;  // memory address - p_vaddr, modulo 2^32 or 2^64

  vdsoSlice<ElfW(Phdr)> phdrs;  // in the first page
  const ElfW(Dyn) * dynamic;    // DT_NULL ends it

  vdsoSlice<char> symstrings;
  uintptr_t symtab;
  uintptr_t versym;  // 0: the symbols have no versions
  uintptr_t verdef;  // 0: no version is defined

  // DT_GNU_HASH; no buckets: there is none.
  vdsoSlice<uint32_t> gnuBucket;
  uintptr_t gnuChain;
  uint32_t gnuSymOff;  // the first symbol in the table

  // DT_HASH; no buckets: there is none.
  vdsoSlice<uint32_t> bucket;
  vdsoSlice<uint32_t> chain;
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
