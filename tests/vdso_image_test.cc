// The builder of images and the catcher of faults, before anything is judged by
// them.

#include "tests/vdso_image.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <string>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_hash.h"
#include "tests/fault_catcher.h"
#include "tests/guarded_pages.h"
#include "tests/vdso_scan.h"

namespace runtime {
namespace {

char Read(const char* at) {
  const volatile char* p = at;
  return *p;
}

TEST(FaultCatcherTest, TellsFaultsFromReturns) {
  static char byte = 1;
  EXPECT_FALSE(Faults([] { Read(&byte); }));
  EXPECT_TRUE(Faults([] { raise(SIGSEGV); }));
  EXPECT_TRUE(Faults([] { raise(SIGFPE); }));
  EXPECT_FALSE(Faults([] { Read(&byte); }));
}

TEST(GuardedPagesTest, FaultBehindTheEnd) {
  for (const size_t size : {size_t{1}, size_t{4096}, size_t{12288}}) {
    const GuardedPages pages(size);
    EXPECT_FALSE(Faults([&pages] { Read(pages.start()); }));
    EXPECT_FALSE(Faults([&pages] { Read(pages.end() - 1); }));
    EXPECT_TRUE(Faults([&pages] { Read(pages.end()); }));
    EXPECT_TRUE(Faults([&pages] { Read(pages.end() + (1 << 20)); }));
  }
}

// Published values. Source: flapenguin.me, "ELF: symbol lookup via DT_HASH" and
// "ELF: better symbol lookup via DT_GNU_HASH"; the vDSO's names: Go's
// vdso_linux_<arch>.go.
struct HashRow {
  const char* name;
  uint32_t sysv;
  uint32_t gnu;
};

constexpr HashRow kHashRows[] = {
    {"", 0, 0x00001505},
    {"printf", 0x077905a6, 0x156b2bb8},
    {"exit", 0x0006cf04, 0x7c967e3f},
    {"syscall", 0x0b09985c, 0xbac212a0},
    {"flapenguin.me", 0x03987915, 0x8ae9f18e},
    {"__vdso_gettimeofday", 0x0315ca59, 0xb01bca00},
    {"__vdso_clock_gettime", 0x0d35ec75, 0x6e43a318},
};

TEST(VdsoHashTest, AsPublished) {
  for (const HashRow& row : kHashRows) {
    EXPECT_EQ(vdsoSymHash(row.name), row.sysv) << row.name;
    EXPECT_EQ(vdsoGNUHash(row.name), row.gnu) << row.name;
    EXPECT_EQ(SysvHash(row.name), row.sysv) << row.name;
    EXPECT_EQ(GnuHash(row.name), row.gnu) << row.name;
  }
}

// char is signed on x86 and unsigned on arm: bytes above 0x7f must not matter.
TEST(VdsoHashTest, BuilderAndLoaderAgreeOnAllBytes) {
  std::string name;
  for (int i = 1; i < 256; ++i) {
    name += static_cast<char>(i);
    EXPECT_EQ(vdsoSymHash(name.c_str()), SysvHash(name)) << i;
    EXPECT_EQ(vdsoGNUHash(name.c_str()), GnuHash(name)) << i;
  }
}

// What the builder builds is what another reader of ELF reads.
TEST(VdsoImageTest, ScanFindsEverySymbol) {
  for (const VdsoHash hash :
       {VdsoHash::kSysv, VdsoHash::kGnu, VdsoHash::kBoth}) {
    for (const uintptr_t link_base : {uintptr_t{0}, kHighLinkBase}) {
      VdsoSpec spec = StandardVdso();
      spec.hash = hash;
      spec.link_base = link_base;
      const VdsoImage image(spec);
      for (const VdsoSymbol& symbol : spec.symbols) {
        EXPECT_EQ(ScanVdso(image.base(), symbol.name, symbol.version),
                  image.base() + symbol.offset)
            << symbol.name;
        EXPECT_EQ(ScanVdso(image.base(), symbol.name, "LINUX_9.9"), 0u);
      }
      EXPECT_EQ(ScanVdso(image.base(), "no_such_name", "LINUX_2.6"), 0u);
    }
  }
}

// A table that is asked to be last ends flush with the guard page.
TEST(VdsoImageTest, LastTableTouchesTheGuard) {
  for (int i = 0; i < static_cast<int>(VdsoTable::kCount); ++i) {
    VdsoSpec spec = StandardVdso();
    spec.last = static_cast<VdsoTable>(i);
    const VdsoImage image(spec);
    const char* at = image.start() + image.size();
    const void* const tables[] = {
        image.hash(),   image.gnu_hash(), image.symtab(), image.strtab(),
        image.versym(), image.verdef(0),  image.dynamic()};
    EXPECT_EQ(static_cast<const char*>(tables[i]) + image.table_size(spec.last),
              at);
    EXPECT_TRUE(Faults([at] { Read(at); }));
  }
}

}  // namespace
}  // namespace runtime
