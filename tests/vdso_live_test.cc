// The image of the kernel that runs this test.

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/vdso_load.h"
#include "tests/vdso_scan.h"

namespace runtime {
namespace {

class VdsoLiveTest : public testing::Test {
 protected:
  void SetUp() override {
    base_ = getauxval(AT_SYSINFO_EHDR);
    if (base_ == 0) GTEST_SKIP() << "this kernel or emulator has no vDSO";
  }

  uintptr_t base_ = 0;
};

TEST_F(VdsoLiveTest, ResolvesWhatAScanFinds) {
  const VdsoLoad load = LoadVdso(base_);
  ASSERT_FALSE(load.faulted);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uintptr_t addr = load.syms.*key.sym;
    EXPECT_EQ(addr, ScanVdso(base_, key.name, key.version.version)) << key.name;
    EXPECT_EQ(inVDSOPage(addr), addr != 0) << key.name;
  }
}

// All kernels of all four arches have this one, under one of two names.
TEST_F(VdsoLiveTest, ResolvesClockGettime) {
  EXPECT_NE(LoadVdso(base_).syms.vdsoClockgettimeSym, 0u);
}

#ifdef __i386__
// AT_SYSINFO is another way to the same address.
TEST_F(VdsoLiveTest, KernelVsyscallIsAtSysinfo) {
  EXPECT_EQ(LoadVdso(base_).syms.vdsoKernelVsyscallSym, getauxval(AT_SYSINFO));
}
#endif

TEST_F(VdsoLiveTest, OtherVersionsAndNamesAreNotThere) {
  vdsoInfo info;
  vdsoInitFromSysinfoEhdr(&info, reinterpret_cast<const ElfW(Ehdr)*>(base_));
  ASSERT_TRUE(info.valid);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const vdsoSymbolKey others[] = {
        vdsoKey(key.name, "LINUX_9.9", key.sym),
        vdsoKey("__vdso_no_such_clock", key.version.version, key.sym),
    };
    vdsoSymbols syms;
    vdsoParseSymbols(&info, {others, 2}, &syms);
    EXPECT_EQ(syms.*key.sym, 0u) << key.name;
  }
}

TEST_F(VdsoLiveTest, InVdsoPageIsTheVdsoOnly) {
  LoadVdso(base_);
  EXPECT_FALSE(inVDSOPage(reinterpret_cast<uintptr_t>(&strlen)));
  EXPECT_FALSE(inVDSOPage(reinterpret_cast<uintptr_t>(&base_)));
  EXPECT_FALSE(inVDSOPage(0));
}

}  // namespace
}  // namespace runtime
