// What the loader must not believe: images that are broken in one place. It
// must return, stay within the image, and find nothing.

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <utility>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/guarded_pages.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

constexpr VdsoHash kHashes[] = {VdsoHash::kSysv, VdsoHash::kGnu};

// VdsoRejectTest is a row's image, of which nothing must resolve.
class VdsoRejectTest : public testing::TestWithParam<VdsoParam> {};

TEST_P(VdsoRejectTest, ResolvesNothing) { ExpectRejected(GetParam()); }

VdsoRow Ident(const char* name, int index, unsigned char byte) {
  return {name, nullptr, [index, byte](const VdsoImage& i) {
            i.ehdr()->e_ident[index] = byte;
          }};
}

VdsoRow Header(const char* name, void (*patch)(ElfW(Ehdr) *)) {
  return {name, nullptr, [patch](const VdsoImage& i) { patch(i.ehdr()); }};
}

constexpr unsigned char kOtherClass =
    sizeof(uintptr_t) == 8 ? ELFCLASS32 : ELFCLASS64;

const VdsoRow kHeaderRows[] = {
    Ident("Magic0", EI_MAG0, 'X'),
    Ident("Magic1", EI_MAG1, 'X'),
    Ident("Magic2", EI_MAG2, 'X'),
    Ident("Magic3", EI_MAG3, 'X'),
    Header("MagicXxxx", [](ElfW(Ehdr) * e) { memcpy(e->e_ident, "XXXX", 4); }),
    Ident("OtherClass", EI_CLASS, kOtherClass),
    Ident("NoClass", EI_CLASS, ELFCLASSNONE),
    Ident("BigEndian", EI_DATA, ELFDATA2MSB),
    Ident("NoData", EI_DATA, ELFDATANONE),
    Header("OtherMachine", [](ElfW(Ehdr) * e) { e->e_machine = EM_S390; }),
    Header("MachineOfAnotherArch",
           [](ElfW(Ehdr) * e) {
             e->e_machine = e->e_machine == EM_ARM ? EM_386 : EM_ARM;
           }),
    Header("NoMachine", [](ElfW(Ehdr) * e) { e->e_machine = EM_NONE; }),
    Header("Executable", [](ElfW(Ehdr) * e) { e->e_type = ET_EXEC; }),
    Header("Relocatable", [](ElfW(Ehdr) * e) { e->e_type = ET_REL; }),
    Header("Core", [](ElfW(Ehdr) * e) { e->e_type = ET_CORE; }),
    Header("PhentsizeZero", [](ElfW(Ehdr) * e) { e->e_phentsize = 0; }),
    Header("PhentsizeLarger", [](ElfW(Ehdr) * e) { e->e_phentsize += 8; }),
    Header("PhnumZero", [](ElfW(Ehdr) * e) { e->e_phnum = 0; }),
    Header("PhnumHuge", [](ElfW(Ehdr) * e) { e->e_phnum = PN_XNUM; }),
    Header("PhnumBeyondFirstPage",
           [](ElfW(Ehdr) * e) {
             e->e_phnum = 1 + (kVdsoPage - sizeof *e) / sizeof(ElfW(Phdr));
           }),
    Header("PhoffZero", [](ElfW(Ehdr) * e) { e->e_phoff = 0; }),
    Header("PhoffMisaligned", [](ElfW(Ehdr) * e) { e->e_phoff += 1; }),
    Header("PhoffLastByteOfPage",
           [](ElfW(Ehdr) * e) { e->e_phoff = kVdsoPage - 1; }),
    Header("PhoffLastWordOfPage",
           [](ElfW(Ehdr) * e) { e->e_phoff = kVdsoPage - 8; }),
    Header("PhoffSecondPage", [](ElfW(Ehdr) * e) { e->e_phoff = kVdsoPage; }),
    Header("PhoffGarbage", [](ElfW(Ehdr) * e) { e->e_phoff = 0x41414140; }),
    Header("PhoffNegative", [](ElfW(Ehdr) * e) { e->e_phoff = -sizeof *e; }),
};

INSTANTIATE_TEST_SUITE_P(Header, VdsoRejectTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kHeaderRows)),
                         VdsoParamName);

// Load and Dynamic patch the first program header of their type.
VdsoRow Load(const char* name, void (*patch)(ElfW(Phdr) *)) {
  return {name, nullptr,
          [patch](const VdsoImage& i) { patch(i.phdr(PT_LOAD)); }};
}

VdsoRow Dynamic(const char* name, void (*patch)(ElfW(Phdr) *)) {
  return {name, [](VdsoSpec* s) { s->last = VdsoTable::kDynamic; },
          [patch](const VdsoImage& i) { patch(i.phdr(PT_DYNAMIC)); }};
}

// Second patches the executable one of two PT_LOADs.
VdsoRow Second(const char* name, void (*patch)(ElfW(Phdr) *)) {
  return {name, [](VdsoSpec* s) { s->split = true; },
          [patch](const VdsoImage& i) { patch(i.phdr(PT_LOAD, 1)); }};
}

const VdsoRow kSegmentRows[] = {
    Load("NoLoad", [](ElfW(Phdr) * p) { p->p_type = PT_NULL; }),
    Load("LoadNotExecutable", [](ElfW(Phdr) * p) { p->p_flags = PF_R; }),
    Load("LoadEmpty", [](ElfW(Phdr) * p) { p->p_memsz = 0; }),
    Load("LoadOneByte", [](ElfW(Phdr) * p) { p->p_memsz = 1; }),
    Load("LoadWithoutText", [](ElfW(Phdr) * p) { p->p_memsz = kVdsoText; }),
    Load("LoadHuge", [](ElfW(Phdr) * p) { p->p_memsz = 0x7ffffff0; }),
    Load("LoadWraps", [](ElfW(Phdr) * p) { p->p_memsz = UINTPTR_MAX; }),
    Load("LoadLinkedAPageOff", [](ElfW(Phdr) * p) { p->p_vaddr += kVdsoPage; }),
    Load("LoadLinkedAWordOff", [](ElfW(Phdr) * p) { p->p_vaddr += 8; }),
    Load("LoadLinkedAtTop", [](ElfW(Phdr) * p) { p->p_vaddr = -kVdsoPage; }),
    // The kernel maps the file as it is: its start is where the image starts.
    Load("LoadFromOffsetOfAWord", [](ElfW(Phdr) * p) { p->p_offset = 8; }),
    Load("LoadFromOffsetOfAPage",
         [](ElfW(Phdr) * p) { p->p_offset = kVdsoPage; }),
    Load("LoadFromOffsetBehindImage",
         [](ElfW(Phdr) * p) { p->p_offset = 0x10000; }),
    Load("LoadFromHugeOffset",
         [](ElfW(Phdr) * p) { p->p_offset = UINTPTR_MAX; }),
    Second("NoSecondLoad", [](ElfW(Phdr) * p) { p->p_type = PT_NULL; }),
    Second("SecondNotExecutable", [](ElfW(Phdr) * p) { p->p_flags = PF_R; }),
    Second("SecondEmpty", [](ElfW(Phdr) * p) { p->p_memsz = 0; }),
    Second("SecondHuge", [](ElfW(Phdr) * p) { p->p_memsz = 0x7ffffff0; }),
    Second("SecondWraps", [](ElfW(Phdr) * p) { p->p_memsz = UINTPTR_MAX; }),
    Second("SecondBelowFirst", [](ElfW(Phdr) * p) { p->p_vaddr = -kVdsoPage; }),
    Second("SecondFarAway", [](ElfW(Phdr) * p) { p->p_vaddr = 0x40000000; }),
    Dynamic("NoDynamic", [](ElfW(Phdr) * p) { p->p_type = PT_NULL; }),
    Dynamic("DynamicEmpty", [](ElfW(Phdr) * p) { p->p_memsz = 0; }),
    Dynamic("DynamicHalfAnEntry",
            [](ElfW(Phdr) * p) { p->p_memsz = sizeof(ElfW(Dyn)) / 2; }),
    Dynamic("DynamicWithoutItsNull",
            [](ElfW(Phdr) * p) { p->p_memsz -= sizeof(ElfW(Dyn)); }),
    Dynamic("DynamicBeyondImage",
            [](ElfW(Phdr) * p) { p->p_memsz += sizeof(ElfW(Dyn)); }),
    Dynamic("DynamicHuge", [](ElfW(Phdr) * p) { p->p_memsz = UINTPTR_MAX; }),
    Dynamic("DynamicMisaligned", [](ElfW(Phdr) * p) { p->p_vaddr += 1; }),
    Dynamic("DynamicOutside", [](ElfW(Phdr) * p) { p->p_vaddr += 0x100000; }),
    Dynamic("DynamicAtTop", [](ElfW(Phdr) * p) { p->p_vaddr = -16; }),
};

INSTANTIATE_TEST_SUITE_P(Segment, VdsoRejectTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kSegmentRows)),
                         VdsoParamName);

// SetTag makes a row with another value of a dynamic tag.
VdsoRow SetTag(const char* name, int32_t tag, uintptr_t value) {
  return {name, nullptr,
          [tag, value](const VdsoImage& i) { i.dyn(tag)->d_un.d_val = value; }};
}

VdsoRow AddToTag(const char* name, int32_t tag, uintptr_t value) {
  return {name, nullptr, [tag, value](const VdsoImage& i) {
            i.dyn(tag)->d_un.d_val += value;
          }};
}

// kEnd is one past the last byte that the image claims.
constexpr uintptr_t kEnd = kVdsoText + kVdsoTextSize;

const VdsoRow kDynamicRows[] = {
    {"NoNull", [](VdsoSpec* s) { s->last = VdsoTable::kDynamic; },
     [](const VdsoImage& i) { i.dyn(DT_NULL)->d_tag = DT_DEBUG; }},
    {"NullFirst", nullptr,
     [](const VdsoImage& i) { i.dynamic()[0].d_tag = DT_NULL; }},
    DropTags("NoStrtab", DT_STRTAB),
    DropTags("NoStrsz", DT_STRSZ),
    DropTags("NoSymtab", DT_SYMTAB),
    SetTag("StrtabNull", DT_STRTAB, 0),
    SetTag("StrtabAtEnd", DT_STRTAB, kEnd),
    SetTag("StrtabAtTop", DT_STRTAB, UINTPTR_MAX),
    AddToTag("StrtabOneOff", DT_STRTAB, 1),
    SetTag("StrszZero", DT_STRSZ, 0),
    SetTag("StrszOne", DT_STRSZ, 1),
    SetTag("StrszBeyondImage", DT_STRSZ, kEnd + 1),
    SetTag("StrszHuge", DT_STRSZ, UINTPTR_MAX),
    SetTag("SymtabNull", DT_SYMTAB, 0),
    SetTag("SymtabAtEnd", DT_SYMTAB, kEnd),
    SetTag("SymtabAtTop", DT_SYMTAB, UINTPTR_MAX - 7),
    AddToTag("SymtabMisaligned", DT_SYMTAB, 1),
    AddToTag("SymtabOneOff", DT_SYMTAB, 8),
    {"SymtabCutShort", [](VdsoSpec* s) { s->last = VdsoTable::kSymtab; },
     [](const VdsoImage& i) {
       i.dyn(DT_SYMTAB)->d_un.d_ptr = 3 * kVdsoPage - sizeof(ElfW(Sym));
     }},
    SetTag("VersymAtTop", DT_VERSYM, UINTPTR_MAX - 1),
    SetTag("VersymAtEnd", DT_VERSYM, kEnd),
    AddToTag("VersymMisaligned", DT_VERSYM, 1),
    SetTag("VerdefAtTop", DT_VERDEF, UINTPTR_MAX - 3),
    SetTag("VerdefAtEnd", DT_VERDEF, kEnd),
    SetTag("VerdefInText", DT_VERDEF, kVdsoText),
    AddToTag("VerdefMisaligned", DT_VERDEF, 1),
};

INSTANTIATE_TEST_SUITE_P(Dynamic, VdsoRejectTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kDynamicRows)),
                         VdsoParamName);

// A table that is whole, but at an address that its type cannot have.
TEST(VdsoHostileTest, MisalignedTables) {
  constexpr std::pair<int32_t, VdsoTable> kTables[] = {
      {DT_HASH, VdsoTable::kHash},     {DT_GNU_HASH, VdsoTable::kGnuHash},
      {DT_SYMTAB, VdsoTable::kSymtab}, {DT_VERSYM, VdsoTable::kVersym},
      {DT_VERDEF, VdsoTable::kVerdef},
  };
  for (const auto& [tag, table] : kTables) {
    for (const uintptr_t misaligned : {0, 1}) {
      const VdsoHash hash =
          tag == DT_GNU_HASH ? VdsoHash::kGnu : VdsoHash::kSysv;
      const VdsoImage image = BuildVdso(hash, {});
      ElfW(Addr)& address = image.dyn(tag)->d_un.d_ptr;
      const uintptr_t copy = kVdsoText + 0x100 + misaligned;
      memcpy(image.start() + copy, image.start() + address,
             image.table_size(table));
      address = copy;
      if (misaligned != 0) {
        ExpectUnresolved(image.base());
      } else {
        ExpectResolved(image);
      }
    }
  }
}

// Whole pages of nothing, and addresses where no image can be.
TEST(VdsoHostileTest, NoImageAtAll) {
  for (const int byte : {0x00, 0x7f, 0xff}) {
    const GuardedPages pages(kVdsoPage);
    memset(pages.start(), byte, pages.size());
    ExpectUnresolved(reinterpret_cast<uintptr_t>(pages.start()));
  }
  ExpectUnresolved(0);
  ExpectUnresolved(UINTPTR_MAX);
  ExpectUnresolved(UINTPTR_MAX - kVdsoPage + 1);
  ExpectUnresolved(UINTPTR_MAX - 2 * kVdsoPage + 1);
}

// A tool has taken the vDSO away, but not its address (CRIU #488).
TEST(VdsoHostileTest, UnmappedImage) {
  const GuardedPages pages(kVdsoPage);
  ExpectUnresolved(reinterpret_cast<uintptr_t>(pages.end()));
}

// The first page is asked about before the others.
TEST(VdsoHostileTest, SecondPageUnmapped) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  ExpectResolved(image);
  ASSERT_EQ(mprotect(image.start() + kVdsoPage, kVdsoPage, PROT_NONE), 0);
  ExpectUnresolved(image.base());
}

TEST(VdsoHostileTest, MisalignedImage) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  const GuardedPages pages(4 * kVdsoPage);
  char* const copy = pages.start() + sizeof(uintptr_t);
  memcpy(copy, image.start(), image.size());
  ExpectUnresolved(reinterpret_cast<uintptr_t>(copy));
}

}  // namespace
}  // namespace runtime
