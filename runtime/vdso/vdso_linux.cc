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

// vdsoMaxImageSize bounds the extent. The largest seen is 12 KiB.
constexpr uintptr_t vdsoMaxImageSize = uintptr_t{1} << 20;

// vdsoMaxVersions bounds the walk over DT_VERDEF. The largest seen is 3.
constexpr int vdsoMaxVersions = 64;

constexpr uint16_t versymIndexMask = 0x7fff;  // bit 15: hidden

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

// vdsoFindPhdrs sets phdrs from the first page of the image at base.
bool vdsoFindPhdrs(vdsoInfo* info, uintptr_t base, const ElfW(Ehdr) * hdr) {
  const vdsoInfo firstPage = [base] {
    vdsoInfo page;
    page.loadStart = base;
    page.loadEnd = base + vdsoPageSize;
    return page;
  }();
  if (hdr->e_phoff >= vdsoPageSize) return false;
  info->phdrs =
      vdsoAt<ElfW(Phdr)>(&firstPage, base + hdr->e_phoff, hdr->e_phnum);
  return info->phdrs.len != 0;
}

// vdsoFindExtent sets loadOffset, loadStart and loadEnd from the PT_LOADs, if
// all of it is really mapped. The kernel maps the whole file in one piece, so
// the first PT_LOAD decides where all of them are.
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
    }
    const uintptr_t start = info->loadOffset + pt.p_vaddr;
    if (start < info->loadStart || start - info->loadStart > vdsoMaxImageSize)
      return false;
    const uintptr_t end = start + pt.p_memsz;
    if (end < start) return false;
    if (end > info->loadEnd) info->loadEnd = end;
  }
  return found && IsReadable(info->loadStart, info->loadEnd);
}

// vdsoDynamic is what the loader wants of PT_DYNAMIC, as it stands there.
struct vdsoDynamic {
  uintptr_t hash = 0;
  uintptr_t gnuHash = 0;
  uintptr_t strtab = 0;
  uintptr_t strsz = 0;
  uintptr_t symtab = 0;
  uintptr_t versym = 0;
  uintptr_t verdef = 0;
};

// vdsoReadDynamic fails when there is no PT_DYNAMIC, or no DT_NULL ends it
// within its segment.
bool vdsoReadDynamic(const vdsoInfo* info, vdsoDynamic* dyn) {
  for (size_t i = 0; i < info->phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info->phdrs[i];
    if (pt.p_type != PT_DYNAMIC) continue;
    const auto table = vdsoAt<ElfW(Dyn)>(info, vdsoAddress(info, pt.p_vaddr),
                                         pt.p_memsz / sizeof(ElfW(Dyn)));
    for (size_t j = 0; j < table.len; ++j) {
      const uintptr_t val = table[j].d_un.d_val;
      switch (table[j].d_tag) {
        case DT_NULL:
          return true;
        case DT_HASH:
          dyn->hash = val;
          break;
        case DT_GNU_HASH:
          dyn->gnuHash = val;
          break;
        case DT_STRTAB:
          dyn->strtab = val;
          break;
        case DT_STRSZ:
          dyn->strsz = val;
          break;
        case DT_SYMTAB:
          dyn->symtab = val;
          break;
        case DT_VERSYM:
          dyn->versym = val;
          break;
        case DT_VERDEF:
          dyn->verdef = val;
          break;
        default:
          break;
      }
    }
    return false;
  }
  return false;
}

// vdsoReadGNUHash sets the hash table from DT_GNU_HASH: a header of four words
// (nbucket, symOff, bloomSize, bloomShift), bloomSize native words of bloom
// filter, which a single lookup has no use for, the buckets, the chain.
bool vdsoReadGNUHash(vdsoInfo* info, uintptr_t addr) {
  const auto header = vdsoAt<uint32_t>(info, addr, 4);
  if (header.len == 0) return false;
  const uintptr_t nbucket = header[0];
  const auto bloom = vdsoAt<ElfW(Addr)>(info, addr + 16, header[2]);
  if (bloom.len != header[2]) return false;
  const uintptr_t buckets = addr + 16 + bloom.len * sizeof(ElfW(Addr));
  info->isGNUHash = true;
  info->symOff = header[1];
  info->bucket = vdsoAt<uint32_t>(info, buckets, nbucket);
  info->chain = vdsoRest<uint32_t>(info, buckets + nbucket * sizeof(uint32_t));
  return info->bucket.len != 0;
}

// vdsoReadHash sets the hash table from DT_HASH: nbucket, nchain, the buckets,
// the chain.
bool vdsoReadHash(vdsoInfo* info, uintptr_t addr) {
  const auto header = vdsoAt<uint32_t>(info, addr, 2);
  if (header.len == 0) return false;
  info->isGNUHash = false;
  info->bucket = vdsoAt<uint32_t>(info, addr + 8, header[0]);
  info->chain = vdsoAt<uint32_t>(
      info, addr + 8 + info->bucket.len * sizeof(uint32_t), header[1]);
  return info->bucket.len != 0 && info->chain.len != 0;
}

// vdsoReadTables sets everything that the dynamic section leads to.
bool vdsoReadTables(vdsoInfo* info, const vdsoDynamic& dyn) {
  if (dyn.strtab == 0 || dyn.symtab == 0) return false;
  info->symstrings =
      vdsoAt<char>(info, vdsoAddress(info, dyn.strtab), dyn.strsz);
  info->symtab = vdsoRest<ElfW(Sym)>(info, vdsoAddress(info, dyn.symtab));
  if (info->symstrings.len == 0 || info->symtab.len == 0) return false;
  if (dyn.versym != 0 && dyn.verdef != 0) {
    info->versym = vdsoRest<ElfW(Half)>(info, vdsoAddress(info, dyn.versym));
    info->verdef = vdsoAddress(info, dyn.verdef);
    if (info->versym.len == 0 || info->verdef == 0) return false;
  }
  // A broken table of one kind does not spoil the other.
  return (dyn.gnuHash != 0 &&
          vdsoReadGNUHash(info, vdsoAddress(info, dyn.gnuHash))) ||
         (dyn.hash != 0 && vdsoReadHash(info, vdsoAddress(info, dyn.hash)));
}

bool vdsoSymbolOK(const vdsoInfo* info, uint32_t index,
                  const vdsoSymbolKey& key, int32_t version) {
  if (index >= info->symtab.len) return false;
  const ElfW(Sym)& sym = info->symtab[index];
  const unsigned type =
      ELF64_ST_TYPE(sym.st_info);  // the same for both classes
  const unsigned bind = ELF64_ST_BIND(sym.st_info);
  if (type != STT_FUNC && type != STT_NOTYPE) return false;
  if (bind != STB_GLOBAL && bind != STB_WEAK) return false;
  if (sym.st_shndx == SHN_UNDEF || sym.st_value == 0) return false;
  if (!vdsoNameIs(info, sym.st_name, key.name)) return false;
  if (version == vdsoAnyVersion) return true;
  return index < info->versym.len &&
         (info->versym[index] & versymIndexMask) == version;
}

// vdsoLookup returns the symbol's address, or 0.
uintptr_t vdsoLookup(const vdsoInfo* info, const vdsoSymbolKey& key) {
  const int32_t version = vdsoFindVersion(info, &key.version);
  if (version == vdsoNoVersion) return 0;
  const uint32_t hash = info->isGNUHash ? key.gnuHash : key.symHash;
  uint32_t index = info->bucket[hash % info->bucket.len];
  // A chain visits no entry twice, so its length bounds the steps.
  for (size_t step = 0; step < info->chain.len; ++step) {
    bool last = false;
    bool match = true;
    uint32_t next = index + 1;
    if (info->isGNUHash) {
      if (index < info->symOff || index - info->symOff >= info->chain.len)
        return 0;
      const uint32_t entry = info->chain[index - info->symOff];
      match = (entry | 1) == (hash | 1);
      last = (entry & 1) != 0;
    } else {
      if (index == STN_UNDEF || index >= info->chain.len) return 0;
      next = info->chain[index];
    }
    if (match && vdsoSymbolOK(info, index, key, version)) {
      const uintptr_t addr = vdsoAddress(info, info->symtab[index].st_value);
      return vdsoInExecRange(info, addr) ? addr : 0;
    }
    if (last) return 0;
    index = next;
  }
  return 0;
}

bool vdsoIsText(const ElfW(Phdr) & pt) {
  return pt.p_type == PT_LOAD && (pt.p_flags & PF_X) != 0;
}

// vdsoPublishText sets the range of inVDSOPage: from the first executable
// segment's start to the last one's end.
void vdsoPublishText(const vdsoInfo& info) {
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  for (size_t i = 0; info.valid && i < info.phdrs.len; ++i) {
    const ElfW(Phdr)& pt = info.phdrs[i];
    if (!vdsoIsText(pt)) continue;
    const uintptr_t from = info.loadOffset + pt.p_vaddr;
    if (from < start) start = from;
    if (from + pt.p_memsz > end) end = from + pt.p_memsz;
  }
  vdsoTextStart.store(start, std::memory_order_relaxed);
  vdsoTextEnd.store(end, std::memory_order_relaxed);
}

}  // namespace

void vdsoInitFromSysinfoEhdr(vdsoInfo* info, const ElfW(Ehdr) * hdr) {
  *info = {};
  const uintptr_t base = reinterpret_cast<uintptr_t>(hdr);
  if (base == 0 || base % vdsoPageSize != 0) return;
  if (base > UINTPTR_MAX - 4 * vdsoMaxImageSize) return;  // no sum below wraps
  if (!IsReadable(base, base + vdsoPageSize)) return;
  vdsoDynamic dyn;
  info->valid = vdsoIdentOK(hdr) && vdsoFindPhdrs(info, base, hdr) &&
                vdsoFindExtent(info, base) && vdsoReadDynamic(info, &dyn) &&
                vdsoReadTables(info, dyn);
}

int32_t vdsoFindVersion(const vdsoInfo* info, const vdsoVersionKey* ver) {
  if (!info->valid) return vdsoNoVersion;
  if (info->verdef == 0) return vdsoAnyVersion;
  uintptr_t addr = info->verdef;
  for (int i = 0; i < vdsoMaxVersions; ++i) {
    const auto def = vdsoAt<ElfW(Verdef)>(info, addr, 1);
    if (def.len == 0) break;
    const int32_t index = def[0].vd_ndx & versymIndexMask;
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
    const uintptr_t addr = vdsoLookup(info, keys[i]);
    if (addr != 0) syms->*keys[i].sym = addr;
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

void vdsoauxv(uintptr_t tag, uintptr_t val, vdsoSymbols* syms) {
  if (tag != AT_SYSINFO_EHDR || val == 0) return;
  vdsoInfo info;
  vdsoInitFromSysinfoEhdr(&info, reinterpret_cast<const ElfW(Ehdr)*>(val));
  vdsoParseSymbols(
      &info, {vdsoSymbolKeys, sizeof vdsoSymbolKeys / sizeof vdsoSymbolKeys[0]},
      syms);
  vdsoPublishText(info);
}

bool inVDSOPage(uintptr_t pc) {
  return pc >= vdsoTextStart.load(std::memory_order_relaxed) &&
         pc < vdsoTextEnd.load(std::memory_order_relaxed);
}

}  // namespace runtime

// NOLINTEND(readability-identifier-naming)
