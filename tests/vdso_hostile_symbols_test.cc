// What the loader must not believe, continued: versions, symbols and names that
// are broken in one place.

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <string>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

// Versions makes a row in which every definition but the base is patched.
// DT_VERDEF ends where the image ends.
VdsoRow Versions(const char* name, void (*patch)(VdsoVersion*)) {
  return {name, [](VdsoSpec* s) { s->last = VdsoTable::kVerdef; },
          [patch](const VdsoImage& i) {
            for (size_t n = 1; n < i.verdef_count(); ++n) {
              patch(reinterpret_cast<VdsoVersion*>(i.verdef(n)));
            }
          }};
}

VdsoRow Versyms(const char* name, void (*patch)(ElfW(Half) *)) {
  return {name, nullptr, [patch](const VdsoImage& i) {
            for (size_t n = 1; n < i.symbol_count(); ++n) patch(&i.versym()[n]);
          }};
}

const VdsoRow kVersionRows[] = {
    {"OtherVersion",
     [](VdsoSpec* s) {
       s->versions = {"LINUX_9.9"};
       for (VdsoSymbol& symbol : s->symbols) symbol.version = "LINUX_9.9";
     },
     nullptr},
    {"OnlyBaseVersion", [](VdsoSpec* s) { s->versions.clear(); }, nullptr},
    EachSymbol("SymbolsWithoutVersion",
               [](VdsoSymbol* s) { s->version.clear(); }),
    {"BehindTooManyVersions",
     [](VdsoSpec* s) {
       s->last = VdsoTable::kVerdef;
       for (int i = 0; i < 100; ++i) {
         s->versions.insert(s->versions.begin(), "V" + std::to_string(i));
       }
     },
     nullptr},
    Versions("OtherHash", [](VdsoVersion* v) { v->def.vd_hash ^= 1; }),
    Versions("OtherName", [](VdsoVersion* v) { v->aux.vda_name += 1; }),
    Versions("NameAtStrsz", [](VdsoVersion* v) { v->aux.vda_name = 0xfff; }),
    Versions("NameHuge", [](VdsoVersion* v) { v->aux.vda_name = UINT32_MAX; }),
    Versions("AuxOneOff", [](VdsoVersion* v) { v->def.vd_aux += 1; }),
    Versions("AuxBehindImage", [](VdsoVersion* v) { v->def.vd_aux += 0x1000; }),
    Versions("AuxHuge", [](VdsoVersion* v) { v->def.vd_aux = UINT32_MAX - 3; }),
    Versions("Base", [](VdsoVersion* v) { v->def.vd_flags = VER_FLG_BASE; }),
    // 0 must not come to mean "any version".
    Versions("IndexZero", [](VdsoVersion* v) { v->def.vd_ndx = 0; }),
    Versions("IndexZeroHidden", [](VdsoVersion* v) { v->def.vd_ndx = 0x8000; }),
    Versions("OtherIndex", [](VdsoVersion* v) { v->def.vd_ndx += 0x100; }),
    Versions("NoneEqual",
             [](VdsoVersion* v) {
               v->def.vd_hash = 0;
               v->def.vd_next = 0x1000;
             }),
    {"NextIsItself", [](VdsoSpec* s) { s->last = VdsoTable::kVerdef; },
     [](const VdsoImage& i) {
       // A step back, to where 32-bit addresses wrap.
       for (size_t n = 1; n < i.verdef_count(); ++n) {
         i.verdef(n)->vd_hash = 0;
         i.verdef(n)->vd_next = static_cast<uint32_t>(-sizeof(VdsoVersion));
       }
     }},
    {"NextOneWordOn", [](VdsoSpec* s) { s->last = VdsoTable::kVerdef; },
     [](const VdsoImage& i) {
       for (size_t n = 0; n < i.verdef_count(); ++n) {
         memset(i.verdef(n), 0, sizeof(VdsoVersion));
         i.verdef(n)->vd_next = 4;
       }
     }},
    {"NextMisaligned", nullptr,
     [](const VdsoImage& i) { i.verdef(0)->vd_next += 1; }},
    {"NextHuge", nullptr,
     [](const VdsoImage& i) { i.verdef(0)->vd_next = UINT32_MAX - 3; }},
    {"EndsAtBase", nullptr,
     [](const VdsoImage& i) { i.verdef(0)->vd_next = 0; }},
    Versyms("SymbolsLocal", [](ElfW(Half) * v) { *v = VER_NDX_LOCAL; }),
    Versyms("SymbolsGlobal", [](ElfW(Half) * v) { *v = VER_NDX_GLOBAL; }),
    Versyms("SymbolsHiddenLocal", [](ElfW(Half) * v) { *v = 0x8000; }),
    Versyms("SymbolsOfOtherVersion", [](ElfW(Half) * v) { *v += 0x100; }),
    Versyms("SymbolsMax", [](ElfW(Half) * v) { *v = 0xffff; }),
    {"VersymCutShort", [](VdsoSpec* s) { s->last = VdsoTable::kVersym; },
     [](const VdsoImage& i) {
       i.dyn(DT_VERSYM)->d_un.d_ptr = 3 * kVdsoPage - sizeof(ElfW(Half));
     }},
};

// Symbols makes a row in which every symbol is patched.
VdsoRow Symbols(const char* name, void (*patch)(ElfW(Sym) *)) {
  return {name, nullptr, [patch](const VdsoImage& i) {
            for (size_t n = 1; n < i.symbol_count(); ++n) patch(&i.symtab()[n]);
          }};
}

// SplitSymbols makes such a row for an image with two segments.
VdsoRow SplitSymbols(const char* name, void (*patch)(ElfW(Sym) *)) {
  VdsoRow row = Symbols(name, patch);
  row.spec = [](VdsoSpec* s) { s->split = true; };
  return row;
}

const VdsoRow kSymbolRows[] = {
    EachSymbol("Local", [](VdsoSymbol* s) { s->bind = STB_LOCAL; }),
    EachSymbol("Unique", [](VdsoSymbol* s) { s->bind = STB_GNU_UNIQUE; }),
    EachSymbol("BindOfProcessor", [](VdsoSymbol* s) { s->bind = STB_HIPROC; }),
    EachSymbol("Object", [](VdsoSymbol* s) { s->type = STT_OBJECT; }),
    EachSymbol("Section", [](VdsoSymbol* s) { s->type = STT_SECTION; }),
    EachSymbol("File", [](VdsoSymbol* s) { s->type = STT_FILE; }),
    EachSymbol("Common", [](VdsoSymbol* s) { s->type = STT_COMMON; }),
    EachSymbol("Tls", [](VdsoSymbol* s) { s->type = STT_TLS; }),
    EachSymbol("Ifunc", [](VdsoSymbol* s) { s->type = STT_GNU_IFUNC; }),
    EachSymbol("TypeOfProcessor", [](VdsoSymbol* s) { s->type = STT_HIPROC; }),
    EachSymbol("Undefined", [](VdsoSymbol* s) { s->shndx = SHN_UNDEF; }),
    EachSymbol("Unhashed", [](VdsoSymbol* s) { s->hashed = false; }),
    Symbols("ValueZero", [](ElfW(Sym) * s) { s->st_value = 0; }),
    Symbols("ValueAtEnd",
            [](ElfW(Sym) * s) { s->st_value = kVdsoText + kVdsoTextSize; }),
    Symbols("ValueBehindImage", [](ElfW(Sym) * s) { s->st_value += 0x100000; }),
    Symbols("ValueBeforeImage", [](ElfW(Sym) * s) { s->st_value = -16; }),
    Symbols("ValueMax", [](ElfW(Sym) * s) { s->st_value = UINTPTR_MAX; }),
    SplitSymbols("ValueInHeader", [](ElfW(Sym) * s) { s->st_value = 16; }),
    SplitSymbols("ValueBeforeText",
                 [](ElfW(Sym) * s) { s->st_value = kVdsoText - 1; }),
    SplitSymbols(
        "ValueBehindText",
        [](ElfW(Sym) * s) { s->st_value = kVdsoText + kVdsoTextSize; }),

    // arm kernels that cannot use the counter.
    Symbols("NameEmpty", [](ElfW(Sym) * s) { s->st_name = 0; }),
    Symbols("NameOneOff", [](ElfW(Sym) * s) { s->st_name += 1; }),
    Symbols("NameBehindTable", [](ElfW(Sym) * s) { s->st_name = 0xfff; }),
    Symbols("NameHuge", [](ElfW(Sym) * s) { s->st_name = UINT32_MAX; }),
    EachSymbol("NameLonger", [](VdsoSymbol* s) { s->name += "2"; }),
    EachSymbol("NameShorter", [](VdsoSymbol* s) { s->name.pop_back(); }),
    // FEX, Quark: a prefix of another arch's.
    EachSymbol("NameOfOtherPrefix",
               [](VdsoSymbol* s) {
                 const bool vdso = s->name.compare(0, 7, "__vdso_") == 0;
                 s->name = (vdso ? "__kernel_" : "__vdso_") +
                           s->name.substr(s->name.find_last_of('_'));
               }),
    EachSymbol("NoNames", [](VdsoSymbol* s) { s->name.clear(); }),
    {"NoSymbols", [](VdsoSpec* s) { s->symbols.clear(); }, nullptr},
};

// VdsoSymbolsTest is a row's image, of which nothing must resolve.
class VdsoSymbolsTest : public testing::TestWithParam<VdsoParam> {};

TEST_P(VdsoSymbolsTest, ResolvesNothing) { ExpectRejected(GetParam()); }

constexpr VdsoHash kHashes[] = {VdsoHash::kSysv, VdsoHash::kGnu};

INSTANTIATE_TEST_SUITE_P(Version, VdsoSymbolsTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kVersionRows)),
                         VdsoParamName);

INSTANTIATE_TEST_SUITE_P(Symbol, VdsoSymbolsTest,
                         testing::Combine(testing::ValuesIn(kHashes),
                                          testing::ValuesIn(kSymbolRows)),
                         VdsoParamName);

// MoveName puts the key's name at the very end of the image, with or without
// its null.
void MoveName(const VdsoImage& image, const vdsoSymbolKey& key, bool null) {
  const size_t size = image.table_size(VdsoTable::kStrtab);
  const size_t length = strlen(key.name) + null;
  for (size_t n = 1; n < image.symbol_count(); ++n) {
    ElfW(Sym)& sym = image.symtab()[n];
    if (strcmp(image.strtab() + sym.st_name, key.name) != 0) continue;
    sym.st_name = static_cast<uint32_t>(size - length);
    memcpy(image.strtab() + sym.st_name, key.name, length);
    return;
  }
  ADD_FAILURE() << key.name;
}

TEST(VdsoStringsTest, UnterminatedAtTheEndOfTheImage) {
  for (const VdsoHash hash : kHashes) {
    for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
      for (const bool null : {true, false}) {
        VdsoSpec spec = StandardVdso();
        spec.hash = hash;
        spec.last = VdsoTable::kStrtab;
        const VdsoImage image(spec);
        MoveName(image, key, null);
        const VdsoLoad load = LoadVdso(image.base());
        ASSERT_FALSE(load.faulted);
        EXPECT_EQ(load.syms.*key.sym != 0, null) << key.name;
      }
    }
  }
}

}  // namespace
}  // namespace runtime
