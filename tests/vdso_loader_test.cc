// What the loader must find: images as kernels, emulators, tools and linkers
// make them. vdso_hostile_test.cc has those that it must not believe.

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

constexpr VdsoHash kHashes[] = {VdsoHash::kSysv, VdsoHash::kGnu,
                                VdsoHash::kBoth};

// VdsoAcceptTest is a row's image, which must resolve.
class VdsoAcceptTest : public testing::TestWithParam<VdsoParam> {};

TEST_P(VdsoAcceptTest, Resolves) {
  const auto& [hash, row] = GetParam();
  const VdsoImage image = BuildVdso(hash, row);
  if (row.patch) row.patch(image);
  ExpectResolved(image);
}

// Rows that are about where the image is linked, and what of it was relocated.
const VdsoRow kPlaceRows[] = {
    {"LinkedAtZero", nullptr, nullptr},
    {"LinkedLow", [](VdsoSpec* s) { s->link_base = 0x10000; }, nullptr},
    // gVisor, UML: the bias is negative.
    {"LinkedHigh", [](VdsoSpec* s) { s->link_base = kHighLinkBase; }, nullptr},
    // qemu-user 10 and later.
    {"AllAbsolute",
     [](VdsoSpec* s) {
       s->absolute_segments = true;
       s->absolute_tables = true;
       s->absolute_symbols = true;
       s->leading_phdr = true;
     },
     nullptr},
    // rr.
    {"SymbolsAbsolute", [](VdsoSpec* s) { s->absolute_symbols = true; },
     nullptr},
    {"TablesAbsolute", [](VdsoSpec* s) { s->absolute_tables = true; }, nullptr},
    {"SymbolsAndTablesAbsolute",
     [](VdsoSpec* s) {
       s->absolute_tables = true;
       s->absolute_symbols = true;
     },
     nullptr},
    {"LinkedHighSymbolsAbsolute",
     [](VdsoSpec* s) {
       s->link_base = kHighLinkBase;
       s->absolute_symbols = true;
     },
     nullptr},
    {"LinkedHighTablesAbsolute",
     [](VdsoSpec* s) {
       s->link_base = kHighLinkBase;
       s->absolute_tables = true;
     },
     nullptr},
    // The dynamic section, but not the segment, is where it says.
    {"OnlyDynamicSegmentAbsolute", nullptr,
     [](const VdsoImage& i) { i.phdr(PT_DYNAMIC)->p_vaddr += i.base(); }},
    {"SplitLinkedAtZero", [](VdsoSpec* s) { s->split = true; }, nullptr},
    {"SplitLinkedHigh",
     [](VdsoSpec* s) {
       s->split = true;
       s->link_base = kHighLinkBase;
     },
     nullptr},
    {"SplitAllAbsolute",
     [](VdsoSpec* s) {
       s->split = true;
       s->absolute_segments = true;
       s->absolute_tables = true;
       s->absolute_symbols = true;
     },
     nullptr},
    {"SplitSymbolsAbsolute",
     [](VdsoSpec* s) {
       s->split = true;
       s->absolute_symbols = true;
     },
     nullptr},
};

INSTANTIATE_TEST_SUITE_P(Place, VdsoAcceptTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kPlaceRows)),
                         VdsoParamName);

// LastTable makes a row whose image ends with a table: all that is read behind
// it is the guard page.
VdsoRow LastTable(const char* name, VdsoTable table) {
  return {name, [table](VdsoSpec* s) { s->last = table; }, nullptr};
}

// Twins makes a row in which each symbol follows one of the same name that
// make_wrong has spoiled.
VdsoRow Twins(const char* name, void (*make_wrong)(VdsoSymbol*)) {
  return {name,
          [make_wrong](VdsoSpec* s) {
            s->versions.insert(s->versions.begin(), "LINUX_9.9");
            auto twins = s->symbols;
            for (VdsoSymbol& twin : twins) {
              twin.offset = kVdsoText;
              make_wrong(&twin);
            }
            s->symbols.insert(s->symbols.begin(), twins.begin(), twins.end());
          },
          nullptr};
}

const VdsoRow kShapeRows[] = {
    EachSymbol("Weak", [](VdsoSymbol* s) { s->bind = STB_WEAK; }),
    EachSymbol("NoType", [](VdsoSymbol* s) { s->type = STT_NOTYPE; }),
    EachSymbol("HiddenVersion", [](VdsoSymbol* s) { s->hidden = true; }),
    EachSymbol("AbsoluteSection", [](VdsoSymbol* s) { s->shndx = SHN_ABS; }),
    // The Thumb bit, as in arm64's images for arm.
    EachSymbol("OddValue", [](VdsoSymbol* s) { s->offset |= 1; }),
    EachSymbol("FirstByteOfText", [](VdsoSymbol* s) { s->offset = kVdsoText; }),
    EachSymbol(
        "LastByteOfText",
        [](VdsoSymbol* s) { s->offset = kVdsoText + kVdsoTextSize - 1; }),

    DropTags("NoVersym", DT_VERSYM),
    DropTags("NoVerdef", DT_VERDEF),
    DropTags("NoVersymNoVerdef", DT_VERSYM, DT_VERDEF),
    {"ManyVersions",
     [](VdsoSpec* s) {
       for (int i = 0; i < 20; ++i) {
         s->versions.insert(s->versions.begin(),
                            "LINUX_9." + std::to_string(i));
       }
     },
     nullptr},
    {"NoBaseVersion", nullptr,
     [](const VdsoImage& i) {
       i.dyn(DT_VERDEF)->d_un.d_ptr += sizeof(VdsoVersion);
     }},
    {"WrongVersionCount", nullptr,
     [](const VdsoImage& i) { i.verdef(i.verdef_count() - 1)->vd_cnt = 9; }},

    Twins("AfterTwinOfOtherVersion",
          [](VdsoSymbol* s) { s->version = "LINUX_9.9"; }),
    Twins("AfterUndefinedTwin", [](VdsoSymbol* s) { s->shndx = SHN_UNDEF; }),
    Twins("AfterLocalTwin", [](VdsoSymbol* s) { s->bind = STB_LOCAL; }),
    Twins("AfterObjectTwin", [](VdsoSymbol* s) { s->type = STT_OBJECT; }),
    Twins("AfterUnhashedTwin", [](VdsoSymbol* s) { s->hashed = false; }),

    {"OneBucket", [](VdsoSpec* s) { s->nbucket = 1; }, nullptr},
    {"SparseBuckets", [](VdsoSpec* s) { s->nbucket = 64; }, nullptr},
    {"OneBloomWord", [](VdsoSpec* s) { s->bloom_size = 1; }, nullptr},
    {"LargeBloom", [](VdsoSpec* s) { s->bloom_size = 64; }, nullptr},

    LastTable("LastHash", VdsoTable::kHash),
    LastTable("LastGnuHash", VdsoTable::kGnuHash),
    LastTable("LastSymtab", VdsoTable::kSymtab),
    LastTable("LastStrtab", VdsoTable::kStrtab),
    LastTable("LastVersym", VdsoTable::kVersym),
    LastTable("LastVerdef", VdsoTable::kVerdef),
    LastTable("LastDynamic", VdsoTable::kDynamic),
    {"LastDynamicOfThreeSegments",
     [](VdsoSpec* s) {
       s->last = VdsoTable::kDynamic;
       s->split = true;
     },
     nullptr},

    {"LeadingPhdr", [](VdsoSpec* s) { s->leading_phdr = true; }, nullptr},
    {"TrailingEmptyLoad", [](VdsoSpec* s) { s->trailing_load = 1; }, nullptr},
    {"DynamicBeforeLoad", nullptr,
     [](const VdsoImage& i) {
       std::swap(*i.phdr(PT_LOAD), *i.phdr(PT_DYNAMIC));
     }},
    {"OsAbiLinux", nullptr,
     [](const VdsoImage& i) { i.ehdr()->e_ident[EI_OSABI] = ELFOSABI_LINUX; }},
    {"GarbageBehindDynamicNull",
     [](VdsoSpec* s) { s->last = VdsoTable::kVersym; },
     [](const VdsoImage& i) {
       i.phdr(PT_DYNAMIC)->p_memsz += 2 * sizeof(ElfW(Dyn));
       i.dyn(DT_NULL)[1].d_tag = DT_STRTAB;
     }},
    {"UnknownTags", nullptr,
     [](const VdsoImage& i) {
       // In place of a tag that may be missing.
       i.dyn(DT_VERSYM)->d_tag = 0x6fff1234;
     }},
};

INSTANTIATE_TEST_SUITE_P(Shape, VdsoAcceptTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kShapeRows)),
                         VdsoParamName);

// arm kernels that cannot use the counter blank the names of the functions that
// read it, and once forgot one (raspberrypi/linux#3579). The others stay.
TEST(VdsoLoaderTest, BlankNameHidesItsSymbolOnly) {
  for (const VdsoHash hash : kHashes) {
    for (const vdsoSymbolKey& blank : vdsoSymbolKeys) {
      const VdsoImage image = BuildVdso(hash, {});
      for (size_t i = 1; i < image.symbol_count(); ++i) {
        if (strcmp(image.strtab() + image.symtab()[i].st_name, blank.name) ==
            0) {
          image.symtab()[i].st_name = 0;
        }
      }
      const VdsoLoad load = LoadVdso(image.base());
      ASSERT_FALSE(load.faulted);
      for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
        const uintptr_t want =
            key.name == blank.name
                ? 0
                : image.AddressOf(key.name, key.version.version);
        EXPECT_EQ(load.syms.*key.sym, want) << key.name;
      }
    }
  }
}

TEST(VdsoLoaderTest, LeavesAloneWhatItDoesNotFind) {
  VdsoSpec spec = StandardVdso();
  spec.symbols.clear();
  const VdsoImage image(spec);
  vdsoSymbols syms;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) syms.*key.sym = 0x1234;
  vdsoauxv(AT_SYSINFO_EHDR, image.base(), &syms);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    EXPECT_EQ(syms.*key.sym, 0x1234u);
  }
}

// A determinism tool may turn AT_SYSINFO_EHDR into AT_IGNORE, or clear it.
TEST(VdsoLoaderTest, LooksAtNoOtherEntry) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  vdsoSymbols syms;
  for (const uintptr_t tag :
       {AT_NULL, AT_IGNORE, AT_PHDR, AT_BASE, AT_SYSINFO}) {
    vdsoauxv(tag, image.base(), &syms);
  }
  vdsoauxv(AT_SYSINFO_EHDR, 0, &syms);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    EXPECT_EQ(syms.*key.sym, 0u) << key.name;
  }
}

TEST(VdsoLoaderTest, LooksNewSymbolsUpByARow) {
  const VdsoSpec spec = StandardVdso();
  const VdsoImage image(spec);
  vdsoInfo info;
  vdsoInitFromSysinfoEhdr(&info, image.ehdr());
  ASSERT_TRUE(info.valid);
  for (const VdsoSymbol& symbol : spec.symbols) {
    const vdsoSymbolKey key =
        vdsoKey(symbol.name.c_str(), symbol.version.c_str(),
                &vdsoSymbols::vdsoClockgettimeSym);
    vdsoSymbols syms;
    vdsoParseSymbols(&info, {&key, 1}, &syms);
    EXPECT_EQ(syms.vdsoClockgettimeSym, image.base() + symbol.offset);
  }
}

}  // namespace
}  // namespace runtime
