// Loader file: Go spelling. Names of the ELF ABI stay as they are.
// NOLINTBEGIN(readability-identifier-naming)

#include "runtime/vdso/vdso_linux.h"

#include <atomic>

#include "runtime/sys/readable.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "runtime/vdso/vdso_read.h"

namespace runtime {
namespace {

// vdsoPageSize is the smallest page of the four arches. The program headers
// must lie in the image's first page, the only one known to be mapped before
// they are read.
constexpr uintptr_t vdsoPageSize = 4096;

// The code of the image that vdsoauxv saw last, for inVDSOPage. Relaxed: a
// reader in a signal handler of the same thread, or none at all, is all there
// is to order.
std::atomic<uintptr_t> vdsoTextStart{0};
std::atomic<uintptr_t> vdsoTextEnd{0};

bool vdsoIdentOK(const ElfW(Ehdr) * hdr) {
  const unsigned char* ident = hdr->e_ident;
  return ident[EI_MAG0] == ELFMAG0 && ident[EI_MAG1] == ELFMAG1 &&
         ident[EI_MAG2] == ELFMAG2 && ident[EI_MAG3] == ELFMAG3 &&
         ident[EI_CLASS] == vdsoElfClass && ident[EI_DATA] == ELFDATA2LSB &&
         hdr->e_type == ET_DYN && hdr->e_machine == vdsoElfMachine &&
         hdr->e_phentsize == sizeof(ElfW(Phdr));
}

// vdsoFindPhdrs sets phdrs from the first page of the image at base, which is
// all of the extent that is known so far.
bool vdsoFindPhdrs(vdsoInfo* info, uintptr_t base, const ElfW(Ehdr) * hdr) {
  info->loadStart = base;
  info->loadEnd = base + vdsoPageSize;
  if (hdr->e_phoff >= vdsoPageSize) return false;
  info->phdrs = vdsoAt<ElfW(Phdr)>(info, base + hdr->e_phoff, hdr->e_phnum);
  return info->phdrs.len != 0;
}

// vdsoFindExtent sets loadOffset, loadStart and loadEnd from the PT_LOADs, if
// all of it is really mapped. The kernel maps the whole file in one piece, so
// the first PT_LOAD decides where all of them are. A sum that wraps is refused:
// old 386 kernels' image is in the last page but one.
bool vdsoFindExtent(vdsoInfo* info, uintptr_t base) {
  bool found = false;
  for (size_t i = 0; i < info->phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info->phdrs[i];
    if (pt.p_type != PT_LOAD) continue;
    if (pt.p_offset > vdsoMaxImageSize || pt.p_memsz > vdsoMaxImageSize)
      return false;
    if (!found) {
      found = true;
      info->loadOffset = base + pt.p_offset - pt.p_vaddr;
      info->loadStart = base + pt.p_offset;
      info->loadEnd = info->loadStart;
      if (info->loadStart < base) return false;
    }
    const uintptr_t start = info->loadOffset + pt.p_vaddr;
    if (start < info->loadStart || start - info->loadStart > vdsoMaxImageSize)
      return false;
    const uintptr_t end = start + pt.p_memsz;
    if (end < start || end - info->loadStart > vdsoMaxImageSize) return false;
    if (end > info->loadEnd) info->loadEnd = end;
  }
  if (!found || info->loadStart == info->loadEnd) return false;
  // The first page is readable, as its header has been read.
  const uintptr_t known = base + vdsoPageSize;
  if (info->loadEnd <= known) return true;
  return IsReadable(info->loadStart > known ? info->loadStart : known,
                    info->loadEnd);
}

// vdsoFindDynamic sets dynamic from PT_DYNAMIC. It fails when there is none, or
// no DT_NULL ends it within its segment and vdsoMaxDynamic entries.
bool vdsoFindDynamic(vdsoInfo* info) {
  for (size_t i = 0; i < info->phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info->phdrs[i];
    if (pt.p_type != PT_DYNAMIC) continue;
    const uintptr_t addr = vdsoAddress(info, pt.p_vaddr);
    const size_t size = vdsoAt<char>(info, addr, pt.p_memsz).len;
    uint32_t len = 0;
    while (len < vdsoMaxDynamic && (len + 1) * sizeof(ElfW(Dyn)) <= size) ++len;
    const auto table = vdsoAt<ElfW(Dyn)>(info, addr, len);
    info->dynamic = table.ptr;
    for (const auto* d = table.ptr; d != table.ptr + table.len; ++d) {
      if (d->d_tag == DT_NULL) return true;
    }
    return false;
  }
  return false;
}

// vdsoDynamicValue returns the value of the tag, or 0.
uintptr_t vdsoDynamicValue(const vdsoInfo* info, int32_t tag) {
  for (const auto* d = info->dynamic; d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == tag) return d->d_un.d_val;
  }
  return 0;
}

// vdsoDynamicAddress returns the memory address that the tag holds, or 0.
uintptr_t vdsoDynamicAddress(const vdsoInfo* info, int32_t tag) {
  const uintptr_t vaddr = vdsoDynamicValue(info, tag);
  return vaddr != 0 ? vdsoAddress(info, vaddr) : 0;
}

// vdsoFindSymbols sets symstrings and symtab.
bool vdsoFindSymbols(vdsoInfo* info) {
  info->symstrings = vdsoAt<char>(info, vdsoDynamicAddress(info, DT_STRTAB),
                                  vdsoDynamicValue(info, DT_STRSZ));
  info->symtab = vdsoDynamicAddress(info, DT_SYMTAB);
  return info->symstrings.len != 0 &&
         vdsoElement<ElfW(Sym)>(info, info->symtab, 0) != nullptr;
}

// vdsoFindVersions sets versym and verdef. Either alone is of no use.
bool vdsoFindVersions(vdsoInfo* info) {
  info->versym = 0;
  info->verdef = 0;
  if (vdsoDynamicValue(info, DT_VERSYM) == 0 ||
      vdsoDynamicValue(info, DT_VERDEF) == 0)
    return true;
  info->versym = vdsoDynamicAddress(info, DT_VERSYM);
  info->verdef = vdsoDynamicAddress(info, DT_VERDEF);
  return vdsoElement<ElfW(Half)>(info, info->versym, 0) != nullptr &&
         info->verdef != 0;
}

// vdsoFindGNUHash sets the gnu fields from DT_GNU_HASH: a header of four words
// (nbucket, symOff, bloomSize, bloomShift), bloomSize native words of bloom
// filter, which a single lookup has no use for, the buckets, the chain.
bool vdsoFindGNUHash(vdsoInfo* info) {
  info->gnuBucket = {};
  const uintptr_t addr = vdsoDynamicAddress(info, DT_GNU_HASH);
  const auto header = vdsoAt<uint32_t>(info, addr, 4);
  if (header.len == 0) return false;
  const auto bloom = vdsoAt<ElfW(Addr)>(info, addr + 16, header[2]);
  if (bloom.len != header[2]) return false;
  const uintptr_t buckets = addr + 16 + bloom.len * sizeof(ElfW(Addr));
  info->gnuSymOff = header[1];
  info->gnuBucket = vdsoAt<uint32_t>(info, buckets, header[0]);
  info->gnuChain = buckets + info->gnuBucket.len * sizeof(uint32_t);
  return info->gnuBucket.len != 0;
}

// vdsoFindHash sets bucket and chain from DT_HASH: nbucket, nchain, the
// buckets, the chain.
bool vdsoFindHash(vdsoInfo* info) {
  info->bucket = {};
  const uintptr_t addr = vdsoDynamicAddress(info, DT_HASH);
  const auto header = vdsoAt<uint32_t>(info, addr, 2);
  if (header.len == 0) return false;
  const auto bucket = vdsoAt<uint32_t>(info, addr + 8, header[0]);
  const uintptr_t chain = addr + 8 + bucket.len * sizeof(uint32_t);
  info->chain = vdsoAt<uint32_t>(info, chain, header[1]);
  if (info->chain.len != 0) info->bucket = bucket;
  return info->bucket.len != 0;
}

// vdsoFindTables sets everything that the dynamic section leads to.
bool vdsoFindTables(vdsoInfo* info) {
  if (!vdsoFindSymbols(info) || !vdsoFindVersions(info)) return false;
  const bool hasGNUHash = vdsoFindGNUHash(info);
  const bool hasHash = vdsoFindHash(info);
  return hasGNUHash || hasHash;
}

// vdsoDescribe sets what *syms says about the image.
void vdsoDescribe(const vdsoInfo& info, vdsoSymbols* syms) {
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  for (size_t i = 0; info.valid && i < info.phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info.phdrs[i];
    if (!vdsoIsText(pt)) continue;
    const uintptr_t from = info.loadOffset + pt.p_vaddr;
    if (from < start) start = from;
    if (from + pt.p_memsz > end) end = from + pt.p_memsz;
  }
  syms->vdsoLoadStart = info.valid ? info.loadStart : 0;
  syms->vdsoLoadOffset = info.valid ? info.loadOffset : 0;
  syms->vdsoLoadEnd = info.valid ? info.loadEnd : 0;
  syms->vdsoTextStart = end != 0 ? start : 0;
  syms->vdsoTextEnd = end;
  syms->vdsoIsGNUHash = info.valid && info.gnuBucket.len != 0;
}

}  // namespace

void vdsoInitFromSysinfoEhdr(vdsoInfo* info, const ElfW(Ehdr) * hdr) {
  info->valid = false;
  const uintptr_t base = reinterpret_cast<uintptr_t>(hdr);
  if (base == 0 || base % vdsoPageSize != 0) return;
  if (!IsReadable(base, base + vdsoPageSize)) return;
  info->valid = vdsoIdentOK(hdr) && vdsoFindPhdrs(info, base, hdr) &&
                vdsoFindExtent(info, base) && vdsoFindDynamic(info) &&
                vdsoFindTables(info);
}

void vdsoauxv(uintptr_t tag, uintptr_t val, vdsoSymbols* syms) {
  if (tag != AT_SYSINFO_EHDR || val == 0) return;
  vdsoInfo info;
  vdsoInitFromSysinfoEhdr(&info, reinterpret_cast<const ElfW(Ehdr)*>(val));
  vdsoParseSymbols(
      &info, {vdsoSymbolKeys, sizeof vdsoSymbolKeys / sizeof vdsoSymbolKeys[0]},
      syms);
  vdsoDescribe(info, syms);
  vdsoTextStart.store(syms->vdsoTextStart, std::memory_order_relaxed);
  vdsoTextEnd.store(syms->vdsoTextEnd, std::memory_order_relaxed);
}

bool inVDSOPage(uintptr_t pc) {
  return pc >= vdsoTextStart.load(std::memory_order_relaxed) &&
         pc < vdsoTextEnd.load(std::memory_order_relaxed);
}

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)
