// What VdsoImage puts into the tables of symbols, versions and hashes.

#include "tests/vdso_image.h"

namespace runtime {
namespace {

constexpr uint32_t kBloomShift = 6;
constexpr size_t kWordBits = 8 * sizeof(ElfW(Addr));

}  // namespace

// The form of musl's dynlink.c.
uint32_t SysvHash(const std::string& name) {
  uint32_t h = 0;
  for (const unsigned char c : name) {
    h = 16 * h + c;
    h ^= h >> 24 & 0xf0;
  }
  return h & 0xfffffff;
}

uint32_t GnuHash(const std::string& name) {
  uint32_t h = 5381;
  for (const unsigned char c : name) h += (h << 5) + c;
  return h;
}

void VdsoImage::WriteSymbols() {
  const uintptr_t bias = spec_.absolute_symbols ? base() : spec_.link_base;
  for (size_t i = 1; i < symbols_.size(); ++i) {
    const VdsoSymbol& symbol = symbols_[i];
    ElfW(Sym)& sym = symtab()[i];
    sym.st_name = names_[i];
    sym.st_value = bias + symbol.offset;
    sym.st_size = 16;
    sym.st_info = static_cast<unsigned char>(symbol.bind << 4 | symbol.type);
    sym.st_shndx = symbol.shndx;
  }
}

void VdsoImage::WriteVersions() {
  for (size_t i = 0; i < verdef_count(); ++i) {
    ElfW(Verdef)* def = verdef(i);
    const std::string name = strings_.c_str() + version_names_[i];
    def->vd_version = VER_DEF_CURRENT;
    def->vd_flags = i == 0 ? VER_FLG_BASE : 0;
    def->vd_ndx = static_cast<uint16_t>(1 + i);
    def->vd_cnt = 1;
    def->vd_hash = SysvHash(name);
    def->vd_aux = sizeof *def;
    def->vd_next = i + 1 < verdef_count() ? sizeof(VdsoVersion) : 0;
    verdaux(i)->vda_name = version_names_[i];
  }
  for (size_t i = 1; i < symbols_.size(); ++i) {
    const VdsoSymbol& symbol = symbols_[i];
    uint16_t index = VER_NDX_GLOBAL;
    for (size_t v = 0; v < spec_.versions.size(); ++v) {
      if (spec_.versions[v] == symbol.version) {
        index = static_cast<uint16_t>(2 + v);
      }
    }
    versym()[i] = static_cast<uint16_t>(index | (symbol.hidden ? 0x8000 : 0));
  }
}

void VdsoImage::WriteHash() {
  if (!Has(VdsoTable::kHash)) return;
  uint32_t* const bucket = hash() + kSysvBuckets;
  uint32_t* const chain = bucket + spec_.nbucket;
  hash()[kSysvNbucket] = spec_.nbucket;
  hash()[kSysvNchain] = static_cast<uint32_t>(symbols_.size());
  for (size_t i = symbols_.size() - 1; i >= unhashed_; --i) {
    uint32_t& head = bucket[SysvHash(symbols_[i].name) % spec_.nbucket];
    chain[i] = head;
    head = static_cast<uint32_t>(i);
  }
}

void VdsoImage::WriteGnuHash() {
  if (!Has(VdsoTable::kGnuHash)) return;
  gnu_hash()[kGnuNbucket] = spec_.nbucket;
  gnu_hash()[kGnuSymOff] = static_cast<uint32_t>(unhashed_);
  gnu_hash()[kGnuBloomSize] = spec_.bloom_size;
  gnu_hash()[kGnuBloomShift] = kBloomShift;
  auto* const bloom = reinterpret_cast<ElfW(Addr)*>(gnu_hash() + 4);
  for (size_t i = unhashed_; i < symbols_.size(); ++i) {
    const uint32_t h = GnuHash(symbols_[i].name);
    const uint32_t bucket = h % spec_.nbucket;
    bloom[h / kWordBits % spec_.bloom_size] |=
        ElfW(Addr){1} << h % kWordBits | ElfW(Addr){1}
                                             << (h >> kBloomShift) % kWordBits;
    if (gnu_buckets()[bucket] == 0) {
      gnu_buckets()[bucket] = static_cast<uint32_t>(i);
    }
    const bool last = i + 1 == symbols_.size() ||
                      GnuHash(symbols_[i + 1].name) % spec_.nbucket != bucket;
    gnu_chain()[i - unhashed_] = (h & ~1u) | last;
  }
}

}  // namespace runtime
