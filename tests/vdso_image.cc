#include "tests/vdso_image.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

namespace runtime {
namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__i386__)
constexpr uint16_t kMachine = EM_386;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#elif defined(__arm__)
constexpr uint16_t kMachine = EM_ARM;
#endif

uintptr_t AlignUp(uintptr_t n, uintptr_t align) {
  return (n + align - 1) / align * align;
}

// Check ends the program: the test, not the loader, is at fault.
void Check(bool ok) {
  if (!ok) abort();
}

}  // namespace

VdsoImage::VdsoImage(const VdsoSpec& spec) : spec_(spec), pages_(Measure()) {
  WriteEhdr();
  WritePhdrs();
  WriteDynamic();
  memcpy(strtab(), strings_.data(), strings_.size());
  WriteSymbols();
  WriteVersions();
  WriteHash();
  WriteGnuHash();
}

uintptr_t VdsoImage::base() const {
  return reinterpret_cast<uintptr_t>(pages_.start());
}

uintptr_t VdsoImage::AddressOf(const std::string& name,
                               const std::string& version) const {
  for (size_t i = symbols_.size(); i-- > 0;) {
    if (symbols_[i].name == name && symbols_[i].version == version) {
      return base() + symbols_[i].offset;
    }
  }
  abort();
}

char* VdsoImage::CheckedAt(VdsoTable table) const {
  Check(Has(table));
  return start() + offsets_[Index(table)];
}

ElfW(Ehdr) * VdsoImage::ehdr() const {
  return reinterpret_cast<ElfW(Ehdr)*>(start());
}

ElfW(Phdr) * VdsoImage::phdr(uint32_t p_type, int nth) const {
  auto* phdr = reinterpret_cast<ElfW(Phdr)*>(start() + sizeof(ElfW(Ehdr)));
  for (size_t i = 0; i < phnum_; ++i) {
    if (phdr[i].p_type == p_type && nth-- == 0) return &phdr[i];
  }
  abort();
}

ElfW(Dyn) * VdsoImage::dynamic() const {
  return At<ElfW(Dyn)>(VdsoTable::kDynamic);
}

ElfW(Dyn) * VdsoImage::dyn(int32_t d_tag) const {
  for (size_t i = 0; i < table_size(VdsoTable::kDynamic) / sizeof(ElfW(Dyn));
       ++i) {
    if (dynamic()[i].d_tag == d_tag) return &dynamic()[i];
  }
  abort();
}

ElfW(Sym) * VdsoImage::symtab() const {
  return At<ElfW(Sym)>(VdsoTable::kSymtab);
}

ElfW(Half) * VdsoImage::versym() const {
  return At<ElfW(Half)>(VdsoTable::kVersym);
}

ElfW(Verdef) * VdsoImage::verdef(size_t nth) const {
  Check(nth < verdef_count());
  return &At<VdsoVersion>(VdsoTable::kVerdef)[nth].def;
}

ElfW(Verdaux) * VdsoImage::verdaux(size_t nth) const {
  Check(nth < verdef_count());
  return &At<VdsoVersion>(VdsoTable::kVerdef)[nth].aux;
}

uint32_t* VdsoImage::gnu_buckets() const {
  return gnu_hash() + 4 + spec_.bloom_size * sizeof(ElfW(Addr)) / 4;
}

uint32_t* VdsoImage::gnu_chain() const { return gnu_buckets() + spec_.nbucket; }

uint32_t VdsoImage::AddString(const std::string& string) {
  const size_t offset = strings_.size();
  strings_.append(string.c_str(), string.size() + 1);
  return static_cast<uint32_t>(offset);
}

// SortSymbols puts the symbols as DT_GNU_HASH wants them: those that it leaves
// out first, the others by bucket. DT_HASH takes any order.
void VdsoImage::SortSymbols() {
  symbols_ = spec_.symbols;
  const auto hashed = std::stable_partition(
      symbols_.begin(), symbols_.end(),
      [](const VdsoSymbol& symbol) { return !symbol.hashed; });
  unhashed_ = 1 + static_cast<size_t>(hashed - symbols_.begin());
  std::stable_sort(hashed, symbols_.end(),
                   [this](const VdsoSymbol& a, const VdsoSymbol& b) {
                     return GnuHash(a.name) % spec_.nbucket <
                            GnuHash(b.name) % spec_.nbucket;
                   });
  symbols_.insert(symbols_.begin(), VdsoSymbol());
}

// Measure decides where everything is and returns the size of the image.
size_t VdsoImage::Measure() {
  // On 64-bit arches, an odd number of words would not end flush.
  if (spec_.last == VdsoTable::kGnuHash) {
    SortSymbols();
    spec_.nbucket += (spec_.nbucket + symbols_.size() - unhashed_) % 2;
  }
  SortSymbols();
  AddString("");
  version_names_.push_back(AddString("linux-vdso.so.1"));
  for (const std::string& v : spec_.versions) {
    version_names_.push_back(AddString(v));
  }
  for (const VdsoSymbol& s : symbols_) {
    names_.push_back(s.name.empty() ? 0 : AddString(s.name));
  }

  const size_t nsym = symbols_.size();
  const auto set = [this](VdsoTable table, size_t size) {
    sizes_[Index(table)] = size;
  };
  if (spec_.hash != VdsoHash::kGnu) {
    set(VdsoTable::kHash, 4 * (2 + spec_.nbucket + nsym));
  }
  if (spec_.hash != VdsoHash::kSysv) {
    set(VdsoTable::kGnuHash, 4 * (4 + spec_.nbucket + nsym - unhashed_) +
                                 spec_.bloom_size * sizeof(ElfW(Addr)));
  }
  set(VdsoTable::kSymtab, nsym * sizeof(ElfW(Sym)));
  set(VdsoTable::kStrtab, strings_.size());
  set(VdsoTable::kVersym, nsym * sizeof(ElfW(Half)));
  set(VdsoTable::kVerdef, verdef_count() * sizeof(VdsoVersion));
  const size_t ndyn = 6 + Has(VdsoTable::kHash) + Has(VdsoTable::kGnuHash);
  set(VdsoTable::kDynamic, ndyn * sizeof(ElfW(Dyn)));

  const bool third_page = spec_.last != VdsoTable::kCount;
  phnum_ = (spec_.split ? 2u + third_page : 1u) + spec_.leading_phdr +
           spec_.trailing_load + 2;
  uintptr_t end = sizeof(ElfW(Ehdr)) + phnum_ * sizeof(ElfW(Phdr));
  for (size_t i = 0; i < Index(VdsoTable::kCount); ++i) {
    if (i == Index(spec_.last)) {
      Check(sizes_[i] <= kVdsoPage);
      offsets_[i] = 3 * kVdsoPage - sizes_[i];
    } else {
      offsets_[i] = AlignUp(end, 8);
      end = offsets_[i] + sizes_[i];
    }
  }
  tables_end_ = end;
  Check(tables_end_ <= kVdsoPage);
  return (third_page ? 3 : 2) * kVdsoPage;
}

void VdsoImage::WriteEhdr() {
  ElfW(Ehdr)* e = ehdr();
  memcpy(e->e_ident, ELFMAG, SELFMAG);
  e->e_ident[EI_CLASS] = sizeof(uintptr_t) == 8 ? ELFCLASS64 : ELFCLASS32;
  e->e_ident[EI_DATA] = ELFDATA2LSB;
  e->e_ident[EI_VERSION] = EV_CURRENT;
  e->e_type = ET_DYN;
  e->e_machine = kMachine;
  e->e_version = EV_CURRENT;
  e->e_phoff = sizeof *e;
  e->e_ehsize = sizeof *e;
  e->e_phentsize = sizeof(ElfW(Phdr));
  e->e_phnum = static_cast<uint16_t>(phnum_);
}

void VdsoImage::WritePhdrs() {
  const uintptr_t bias = spec_.absolute_segments ? base() : spec_.link_base;
  auto* next = reinterpret_cast<ElfW(Phdr)*>(start() + sizeof(ElfW(Ehdr)));
  const auto add = [&next, bias](uint32_t type, uint32_t flags,
                                 uintptr_t offset, uintptr_t size) {
    next->p_type = type;
    next->p_flags = flags;
    next->p_offset = offset;
    next->p_vaddr = next->p_paddr = bias + offset;
    next->p_filesz = next->p_memsz = size;
    next->p_align = type == PT_LOAD ? kVdsoPage : sizeof(uintptr_t);
    ++next;
  };
  const uintptr_t text_end = kVdsoText + kVdsoTextSize;
  const bool third_page = size() == 3 * kVdsoPage;
  if (spec_.leading_phdr) {
    add(PT_PHDR, PF_R, sizeof(ElfW(Ehdr)), phnum_ * sizeof(ElfW(Phdr)));
  }
  if (spec_.split) {
    add(PT_LOAD, PF_R, 0, tables_end_);
    add(PT_LOAD, PF_R | PF_X, kVdsoText, kVdsoTextSize);
    if (third_page) add(PT_LOAD, PF_R, 2 * kVdsoPage, kVdsoPage);
  } else {
    add(PT_LOAD, PF_R | PF_X, 0, third_page ? size() : text_end);
  }
  for (unsigned i = 0; i < spec_.trailing_load; ++i) {
    add(PT_LOAD, PF_R, text_end, 0);
  }
  add(PT_DYNAMIC, PF_R, offsets_[Index(VdsoTable::kDynamic)],
      table_size(VdsoTable::kDynamic));
  add(PT_GNU_STACK, PF_R, 0, 0);
}

void VdsoImage::WriteDynamic() {
  const uintptr_t bias = spec_.absolute_tables ? base() : spec_.link_base;
  ElfW(Dyn)* next = dynamic();
  const auto add = [this, &next, bias](int32_t d_tag, VdsoTable table) {
    if (!Has(table)) return;
    next->d_tag = d_tag;
    next->d_un.d_ptr = bias + offsets_[Index(table)];
    ++next;
  };
  add(DT_HASH, VdsoTable::kHash);
  add(DT_GNU_HASH, VdsoTable::kGnuHash);
  add(DT_STRTAB, VdsoTable::kStrtab);
  add(DT_SYMTAB, VdsoTable::kSymtab);
  next->d_tag = DT_STRSZ;
  next->d_un.d_val = strings_.size();
  ++next;
  add(DT_VERSYM, VdsoTable::kVersym);
  add(DT_VERDEF, VdsoTable::kVerdef);
  next->d_tag = DT_NULL;
}

}  // namespace runtime
