// inVDSOPage, which tells signal handlers whether the vDSO was interrupted.

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

}  // namespace
}  // namespace runtime
