// What the loader says of an image besides its symbols: inVDSOPage, which tells
// signal handlers whether the vDSO was interrupted, and the facts of a report.

#include <elf.h>
#include <stdint.h>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

TEST(InVdsoPageTest, IsTheExecutableSegments) {
  for (const bool split : {false, true}) {
    for (const uintptr_t link_base : {uintptr_t{0}, kHighLinkBase}) {
      VdsoSpec spec = StandardVdso();
      spec.split = split;
      spec.link_base = link_base;
      const VdsoImage image(spec);
      LoadVdso(image.base());
      const uintptr_t start = image.base() + (split ? kVdsoText : 0);
      const uintptr_t end = image.base() + kVdsoText + kVdsoTextSize;
      EXPECT_FALSE(inVDSOPage(start - 1));
      EXPECT_TRUE(inVDSOPage(start));
      EXPECT_TRUE(inVDSOPage(end - 1));
      EXPECT_FALSE(inVDSOPage(end));
      EXPECT_FALSE(inVDSOPage(0));
      EXPECT_FALSE(inVDSOPage(UINTPTR_MAX));
    }
  }
}

TEST(InVdsoPageTest, SpansSeveralExecutableSegments) {
  VdsoSpec spec = StandardVdso();
  spec.split = true;
  const VdsoImage image(spec);
  image.phdr(PT_LOAD, 0)->p_flags |= PF_X;
  LoadVdso(image.base());
  EXPECT_FALSE(inVDSOPage(image.base() - 1));
  EXPECT_TRUE(inVDSOPage(image.base()));
  EXPECT_TRUE(inVDSOPage(image.base() + kVdsoText + kVdsoTextSize - 1));
  EXPECT_FALSE(inVDSOPage(image.base() + kVdsoText + kVdsoTextSize));
}

TEST(InVdsoPageTest, AnInvalidImageHasNone) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  LoadVdso(image.base());
  EXPECT_TRUE(inVDSOPage(image.base() + kVdsoText));
  image.ehdr()->e_ident[EI_MAG0] = 'X';
  LoadVdso(image.base());
  EXPECT_FALSE(inVDSOPage(image.base() + kVdsoText));
  EXPECT_FALSE(inVDSOPage(0));
  EXPECT_FALSE(inVDSOPage(UINTPTR_MAX));
}

TEST(InVdsoPageTest, OtherEntriesLeaveIt) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  LoadVdso(image.base());
  vdsoSymbols syms;
  vdsoauxv(AT_IGNORE, image.base() + 1, &syms);
  vdsoauxv(AT_SYSINFO_EHDR, 0, &syms);
  EXPECT_TRUE(inVDSOPage(image.base() + kVdsoText));
}

TEST(VdsoFactsTest, OfAValidImage) {
  for (const VdsoHash hash :
       {VdsoHash::kSysv, VdsoHash::kGnu, VdsoHash::kBoth}) {
    for (const bool split : {false, true}) {
      VdsoSpec spec = StandardVdso();
      spec.hash = hash;
      spec.split = split;
      spec.link_base = split ? kHighLinkBase : 0;
      const VdsoImage image(spec);
      const vdsoSymbols syms = LoadVdso(image.base()).syms;
      EXPECT_EQ(syms.vdsoLoadStart, image.base());
      EXPECT_EQ(syms.vdsoLoadEnd, image.base() + kVdsoText + kVdsoTextSize);
      EXPECT_EQ(syms.vdsoTextStart, image.base() + (split ? kVdsoText : 0));
      EXPECT_EQ(syms.vdsoTextEnd, syms.vdsoLoadEnd);
      EXPECT_EQ(syms.vdsoIsGNUHash, hash != VdsoHash::kSysv);
    }
  }
}

void ExpectNoFacts(const vdsoSymbols& syms) {
  EXPECT_EQ(syms.vdsoLoadStart, 0u);
  EXPECT_EQ(syms.vdsoLoadEnd, 0u);
  EXPECT_EQ(syms.vdsoTextStart, 0u);
  EXPECT_EQ(syms.vdsoTextEnd, 0u);
  EXPECT_FALSE(syms.vdsoIsGNUHash);
}

TEST(VdsoFactsTest, OfAnInvalidImage) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  vdsoSymbols syms = LoadVdso(image.base()).syms;
  image.dynamic()->d_tag = DT_NULL;
  vdsoauxv(AT_SYSINFO_EHDR, image.base(), &syms);
  ExpectNoFacts(syms);
  ExpectNoFacts(LoadVdso(0).syms);
}

TEST(VdsoFactsTest, OfAnImageWithoutCode) {
  const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
  image.phdr(PT_LOAD)->p_flags = PF_R;
  const vdsoSymbols syms = LoadVdso(image.base()).syms;
  EXPECT_EQ(syms.vdsoLoadStart, image.base());
  EXPECT_EQ(syms.vdsoTextStart, 0u);
  EXPECT_EQ(syms.vdsoTextEnd, 0u);
  EXPECT_FALSE(inVDSOPage(image.base()));
}

// An auxiliary vector with several entries: each image replaces what it has.
TEST(VdsoDuplicateEntryTest, TheLastOneCounts) {
  const VdsoImage first = BuildVdso(VdsoHash::kBoth, {});
  const VdsoImage second = BuildVdso(VdsoHash::kSysv, {});
  vdsoSymbols syms;
  for (const VdsoImage* image : {&first, &first, &second}) {
    vdsoauxv(AT_SYSINFO_EHDR, image->base(), &syms);
    for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
      EXPECT_EQ(syms.*key.sym, image->AddressOf(key.name, key.version.version));
    }
    EXPECT_EQ(syms.vdsoLoadStart, image->base());
  }
  EXPECT_TRUE(inVDSOPage(second.base() + kVdsoText));
  EXPECT_FALSE(inVDSOPage(first.base() + kVdsoText));
}

}  // namespace
}  // namespace runtime
