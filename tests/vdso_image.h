// A vDSO made from a description: an ELF shared object in memory, of this
// arch's class and machine, with a guard page directly behind its last page.
//
// The builder shares no code with the loader; even its hashes are its own.

#ifndef TESTS_VDSO_IMAGE_H_
#define TESTS_VDSO_IMAGE_H_

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include <string>
#include <vector>

#include "tests/guarded_pages.h"

namespace runtime {

// VdsoSymbol is a row of the symbol table.
struct VdsoSymbol {
  std::string name;
  std::string version;   // "": VER_NDX_GLOBAL
  uintptr_t offset = 0;  // from the image's start
  unsigned char type = STT_FUNC;
  unsigned char bind = STB_GLOBAL;
  uint16_t shndx = 1;
  bool hidden = false;  // bit 15 of its versym
  bool hashed = true;   // false: before the first symbol of the hash tables
};

enum class VdsoHash { kSysv, kGnu, kBoth };

// VdsoTable names the parts that PT_DYNAMIC leads to, and itself.
enum class VdsoTable {
  kHash,
  kGnuHash,
  kSymtab,
  kStrtab,
  kVersym,
  kVerdef,
  kDynamic,
  kCount
};

// VdsoSpec describes an image. What does not change the layout is not here: a
// test patches it in the finished image.
struct VdsoSpec {
  std::vector<VdsoSymbol> symbols;
  std::vector<std::string> versions;  // besides the base definition

  VdsoHash hash = VdsoHash::kBoth;
  uint32_t nbucket = 3;
  uint32_t bloom_size = 2;

  // The image is linked at link_base. Where a flag says absolute, memory
  // addresses take the place of linked ones, as if relocated already.
  uintptr_t link_base = 0;
  bool absolute_segments = false;  // p_vaddr
  bool absolute_tables = false;    // d_ptr
  bool absolute_symbols = false;   // st_value

  bool split = false;          // PT_LOADs R and R+X in place of one R+X
  bool leading_phdr = false;   // a PT_PHDR before the first PT_LOAD
  unsigned trailing_load = 0;  // empty PT_LOADs behind the others

  // The table that ends where the image ends, on a third page of its own;
  // kCount: all are on the first page.
  VdsoTable last = VdsoTable::kCount;
};

// StandardVdso describes an image with all that this arch's kernels offer for
// reading clocks, and some other functions.
VdsoSpec StandardVdso();

// kHighLinkBase is where gVisor and UML link their vDSOs; on 32-bit arches a
// place as high.
inline constexpr uintptr_t kHighLinkBase =
    sizeof(uintptr_t) == 8 ? static_cast<uintptr_t>(0xffffffffff700000u)
                           : static_cast<uintptr_t>(0xfff00000u);

// The code is at the start of the second page of every image.
inline constexpr uintptr_t kVdsoPage = 4096;
inline constexpr uintptr_t kVdsoText = kVdsoPage;
inline constexpr uintptr_t kVdsoTextSize = 0x200;

// The words at the start of the hash tables.
enum SysvHashWord { kSysvNbucket, kSysvNchain, kSysvBuckets };
enum GnuHashWord { kGnuNbucket, kGnuSymOff, kGnuBloomSize, kGnuBloomShift };

// VdsoVersion is how linkers lay DT_VERDEF out.
struct VdsoVersion {
  ElfW(Verdef) def;
  ElfW(Verdaux) aux;
};

// VdsoImage is a finished image. All of it may be written to.
class VdsoImage {
 public:
  explicit VdsoImage(const VdsoSpec& spec);

  uintptr_t base() const;
  char* start() const { return pages_.start(); }
  size_t size() const { return pages_.size(); }

  // AddressOf returns where the symbol is in memory, whatever was patched
  // since.
  uintptr_t AddressOf(const std::string& name,
                      const std::string& version) const;

  // The parts. Each aborts if the image has no such part.
  ElfW(Ehdr) * ehdr() const;
  ElfW(Phdr) * phdr(uint32_t p_type, int nth = 0) const;
  ElfW(Dyn) * dynamic() const;
  ElfW(Dyn) * dyn(int32_t d_tag) const;
  ElfW(Sym) * symtab() const;  // [0] is the null symbol
  ElfW(Half) * versym() const;
  ElfW(Verdef) * verdef(size_t nth) const;  // 0: the base definition
  ElfW(Verdaux) * verdaux(size_t nth) const;
  char* strtab() const { return At<char>(VdsoTable::kStrtab); }
  uint32_t* hash() const { return At<uint32_t>(VdsoTable::kHash); }
  uint32_t* gnu_hash() const { return At<uint32_t>(VdsoTable::kGnuHash); }
  uint32_t* gnu_buckets() const;
  uint32_t* gnu_chain() const;

  // The parts on the first page end here, from the start of the image.
  uintptr_t tables_end() const { return tables_end_; }

  size_t symbol_count() const { return symbols_.size(); }  // with the null one
  size_t verdef_count() const { return spec_.versions.size() + 1; }
  size_t table_size(VdsoTable table) const { return sizes_[Index(table)]; }

 private:
  static size_t Index(VdsoTable table) { return static_cast<size_t>(table); }
  template <typename T>
  T* At(VdsoTable table) const {
    return reinterpret_cast<T*>(CheckedAt(table));
  }
  char* CheckedAt(VdsoTable table) const;
  bool Has(VdsoTable table) const { return table_size(table) != 0; }

  uint32_t AddString(const std::string& string);
  void SortSymbols();
  size_t Measure();
  void WriteEhdr();
  void WritePhdrs();
  void WriteDynamic();
  void WriteSymbols();
  void WriteVersions();
  void WriteHash();
  void WriteGnuHash();

  VdsoSpec spec_;
  std::vector<VdsoSymbol> symbols_;  // as in the table
  std::string strings_;
  std::vector<uint32_t> names_;          // st_name
  std::vector<uint32_t> version_names_;  // vda_name, the base's first
  size_t unhashed_ = 1;                  // symbols before the hashed ones
  size_t phnum_ = 0;
  uintptr_t tables_end_ = 0;  // on the first page
  uintptr_t offsets_[static_cast<size_t>(VdsoTable::kCount)] = {};
  size_t sizes_[static_cast<size_t>(VdsoTable::kCount)] = {};
  GuardedPages pages_;
};

// The two hashes of symbol names, for comparison with the loader's.
uint32_t SysvHash(const std::string& name);
uint32_t GnuHash(const std::string& name);

}  // namespace runtime

#endif  // TESTS_VDSO_IMAGE_H_
