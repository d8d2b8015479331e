#include "tests/vdso_worst.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <iterator>
#include <set>
#include <string>

#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/vdso_image.h"

namespace runtime {
namespace {

constexpr size_t kKeys = std::size(vdsoSymbolKeys);

// kStringSpace holds a right and a wrong string for each name and version.
constexpr size_t kStringSpace = 512;

// VersionIndex is where in DT_VERDEF a version's right definition is, from the
// end: versions that several symbols have are there once.
size_t VersionIndex(const char* version) {
  std::set<std::string> versions;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    versions.insert(key.version.version);
  }
  return static_cast<size_t>(
      std::distance(versions.find(version), versions.end()));
}

// BucketCount is the least number of buckets that gives every hash its own.
uint32_t BucketCount(uint32_t vdsoSymbolKey::*hash) {
  for (uint32_t count = 1;; ++count) {
    std::set<uint32_t> buckets;
    for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
      buckets.insert(key.*hash % count);
    }
    if (buckets.size() == kKeys) return count;
  }
}

}  // namespace

const size_t kMaxSegments =
    (kVdsoPage - sizeof(ElfW(Ehdr))) / sizeof(ElfW(Phdr));

WorstVdso::WorstVdso(const WorstSpec& spec)
    : spec_(spec),
      pages_((spec.size + kVdsoPage - 1) / kVdsoPage * kVdsoPage),
      next_(sizeof(ElfW(Ehdr)) + spec.segments * sizeof(ElfW(Phdr))) {
  // The header of an image like any other, for this arch.
  memcpy(pages_.start(), VdsoImage(StandardVdso()).start(), sizeof(ElfW(Ehdr)));
  dynamic_ = Offset(Take<ElfW(Dyn)>(spec_.dynamic));
  strings_ = Offset(Take<char>(kStringSpace));
  strings_size_ = 1;
  WriteVersions();
  WriteSymbols();
  if (spec_.gnu_chain != 0) WriteGnuHash();
  if (spec_.chain != 0) WriteHash();
  WriteDynamic();
  WriteSegments();
}

template <typename T>
T* WorstVdso::Take(size_t count) {
  next_ = (next_ + 7) / 8 * 8;
  auto* taken = reinterpret_cast<T*>(pages_.start() + next_);
  next_ += count * sizeof(T);
  if (next_ >= spec_.size) abort();
  return taken;
}

uintptr_t WorstVdso::Offset(const void* at) const {
  return reinterpret_cast<uintptr_t>(at) - base();
}

// AddString adds the string, or one that differs in its last character.
uint32_t WorstVdso::AddString(std::string string, bool right) {
  if (!right) string.back() = static_cast<char>(string.back() ^ 1);
  const uintptr_t offset = strings_size_;
  strings_size_ += string.size() + 1;
  if (strings_size_ > kStringSpace) abort();
  memcpy(pages_.start() + strings_ + offset, string.c_str(), string.size() + 1);
  return static_cast<uint32_t>(offset);
}

void WorstVdso::WriteVersions() {
  auto* versions = Take<VdsoVersion>(spec_.versions);
  verdef_ = Offset(versions);
  const vdsoVersionKey& first = vdsoSymbolKeys[0].version;
  const uint32_t wrong = AddString(first.version, false);
  for (uint32_t i = 0; i < spec_.versions; ++i) {
    ElfW(Verdef)& def = versions[i].def;
    def.vd_version = VER_DEF_CURRENT;
    def.vd_ndx = static_cast<ElfW(Half)>(i + 2);
    def.vd_cnt = 1;
    def.vd_hash = first.verHash;
    def.vd_aux = sizeof def;
    def.vd_next = i + 1 < spec_.versions ? sizeof versions[0] : 0;
    versions[i].aux.vda_name = wrong;
  }
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    VdsoVersion& version =
        versions[spec_.versions - VersionIndex(key.version.version)];
    version.def.vd_hash = key.version.verHash;
    version.aux.vda_name = AddString(key.version.version, true);
  }
}

// Symbols are the null symbol and, for each key, the wrong ones and the right
// one.
void WorstVdso::WriteSymbols() {
  per_key_ =
      (spec_.gnu_chain > spec_.chain ? spec_.gnu_chain : spec_.chain) + 1;
  symbol_count_ = static_cast<uint32_t>(1 + kKeys * per_key_);
  auto* symtab = Take<ElfW(Sym)>(symbol_count_);
  auto* versym = Take<ElfW(Half)>(symbol_count_);
  symtab_ = Offset(symtab);
  versym_ = Offset(versym);
  uint32_t index = 1;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uint32_t wrong = AddString(key.name, false);
    const uint32_t right = AddString(key.name, true);
    for (uint32_t i = 0; i < per_key_; ++i, ++index) {
      ElfW(Sym)& sym = symtab[index];
      sym.st_name = i + 1 < per_key_ ? wrong : right;
      sym.st_value = spec_.size - 1;
      sym.st_info = STB_WEAK << 4 | STT_NOTYPE;  // what is asked for last
      sym.st_shndx = 1;
      versym[index] = static_cast<ElfW(Half)>(
          2 + spec_.versions - VersionIndex(key.version.version));
    }
  }
}

void WorstVdso::WriteGnuHash() {
  const uint32_t nbucket = BucketCount(&vdsoSymbolKey::gnuHash);
  auto* table = Take<uint32_t>(4 + nbucket + symbol_count_ - 1);
  gnu_hash_ = Offset(table);
  table[kGnuNbucket] = nbucket;
  table[kGnuSymOff] = 1;
  uint32_t* chain = table + 4 + nbucket - 1;  // chain[1] is its first entry
  uint32_t index = 1;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uint32_t right = index + per_key_ - 1;
    table[4 + key.gnuHash % nbucket] = right - spec_.gnu_chain;
    for (; index <= right; ++index) chain[index] = key.gnuHash & ~1u;
    if (!spec_.gnu_finds) chain[right - 1] |= 1;
    chain[right] |= 1;
  }
}

void WorstVdso::WriteHash() {
  const uint32_t nbucket = BucketCount(&vdsoSymbolKey::symHash);
  auto* table = Take<uint32_t>(2 + nbucket + symbol_count_);
  hash_ = Offset(table);
  table[kSysvNbucket] = nbucket;
  table[kSysvNchain] = symbol_count_;
  uint32_t* chain = table + 2 + nbucket;
  uint32_t index = 1;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uint32_t right = index + per_key_ - 1;
    table[kSysvBuckets + key.symHash % nbucket] = right - spec_.chain;
    for (; index < right; ++index) chain[index] = index + 1;
    if (!spec_.hash_finds) chain[right - 1] = STN_UNDEF;
    ++index;
  }
}

void WorstVdso::WriteDynamic() {
  auto* dynamic = reinterpret_cast<ElfW(Dyn)*>(pages_.start() + dynamic_);
  uint32_t at = spec_.dynamic;
  const auto add = [dynamic, &at](int32_t tag, uintptr_t value) {
    dynamic[--at].d_tag = tag;
    dynamic[at].d_un.d_val = value;
  };
  add(DT_NULL, 0);
  add(DT_STRTAB, strings_);
  add(DT_STRSZ, strings_size_);
  add(DT_SYMTAB, symtab_);
  add(DT_VERSYM, versym_);
  add(DT_VERDEF, verdef_);
  if (gnu_hash_ != 0) add(DT_GNU_HASH, gnu_hash_);
  if (hash_ != 0) add(DT_HASH, hash_);
  while (at > 0) add(DT_DEBUG, 0);
}

// WriteSegments makes all of them, but for the last, the whole image, which
// overlaps; the last of these is executable.
void WorstVdso::WriteSegments() {
  auto* ehdr = reinterpret_cast<ElfW(Ehdr)*>(pages_.start());
  ehdr->e_phnum = static_cast<ElfW(Half)>(spec_.segments);
  auto* phdr = reinterpret_cast<ElfW(Phdr)*>(ehdr + 1);
  for (size_t i = 0; i + 1 < spec_.segments; ++i) {
    phdr[i].p_type = PT_LOAD;
    phdr[i].p_flags = i + 2 < spec_.segments ? PF_R : PF_R | PF_X;
    phdr[i].p_memsz = spec_.size;
  }
  ElfW(Phdr)& last = phdr[spec_.segments - 1];
  last.p_type = PT_DYNAMIC;
  last.p_vaddr = dynamic_;
  last.p_memsz = spec_.dynamic * sizeof(ElfW(Dyn));
}

}  // namespace runtime
