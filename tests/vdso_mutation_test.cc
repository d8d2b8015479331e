// Every byte of two images, spoiled in ten ways each: the loader must return,
// stay within the image, and accept no address but one of its code.

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/fault_catcher.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

// IsCode tells whether addr is in the image, and in what its program headers,
// which may be spoiled, call executable.
bool IsCode(const VdsoImage& image, uintptr_t addr) {
  if (addr - image.base() >= image.size()) return false;
  const auto* phdr = reinterpret_cast<const ElfW(Phdr)*>(image.start() +
                                                         image.ehdr()->e_phoff);
  const ElfW(Phdr)* first = nullptr;
  for (size_t i = 0; i < image.ehdr()->e_phnum; ++i) {
    if (phdr[i].p_type != PT_LOAD) continue;
    if (first == nullptr) first = &phdr[i];
    const uintptr_t start = image.base() + phdr[i].p_vaddr - first->p_vaddr;
    if ((phdr[i].p_flags & PF_X) != 0 && addr - start < phdr[i].p_memsz) {
      return true;
    }
  }
  return false;
}

// Mutation is one spoiled byte.
struct Mutation {
  size_t offset;
  unsigned value;
};

// LoadMutated loads the image with one byte spoiled and returns whether the
// loader accepted only code.
bool LoadMutated(const VdsoImage& image, Mutation mutation) {
  char& byte = image.start()[mutation.offset];
  const char old = byte;
  byte = static_cast<char>(mutation.value);
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, image.base(), &syms);
  bool ok = true;
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uintptr_t addr = syms.*key.sym;
    ok = ok && (addr == 0 || IsCode(image, addr));
  }
  byte = old;
  return ok;
}

// MutateAll stops at the first mutation that is not taken well, and leaves it
// in *at.
bool MutateAll(const VdsoImage& image, volatile Mutation* at) {
  for (size_t offset = 0; offset < image.size(); ++offset) {
    // The loader does not read the code, and padding is zero.
    if (offset >= image.tables_end() && offset < 2 * kVdsoPage) continue;
    const unsigned old = static_cast<unsigned char>(image.start()[offset]);
    for (int way = 0; way < 10; ++way) {
      const unsigned value = way == 8   ? 0x00
                             : way == 9 ? 0xff
                                        : old ^ 1u << way;
      at->offset = offset;
      at->value = value;
      if (!LoadMutated(image, {offset, value})) return false;
    }
  }
  return true;
}

void ExpectHarmless(const VdsoSpec& spec) {
  const VdsoImage image(spec);
  ExpectResolved(image);
  volatile Mutation at = {};
  volatile bool ok = false;
  const bool faulted =
      Faults([&image, &at, &ok] { ok = MutateAll(image, &at); });
  EXPECT_FALSE(faulted) << "byte " << at.offset << " as " << at.value;
  EXPECT_TRUE(faulted || ok) << "byte " << at.offset << " as " << at.value;
}

TEST(VdsoMutationTest, HashInTwoSegments) {
  VdsoSpec spec = StandardVdso();
  spec.hash = VdsoHash::kSysv;
  spec.split = true;
  ExpectHarmless(spec);
}

TEST(VdsoMutationTest, GnuHashLinkedHigh) {
  VdsoSpec spec = StandardVdso();
  spec.hash = VdsoHash::kGnu;
  spec.link_base = kHighLinkBase;
  spec.last = VdsoTable::kDynamic;
  ExpectHarmless(spec);
}

// The check of this file finds fault when it should.
TEST(VdsoMutationTest, IsCodeIsTheExecutableSegment) {
  VdsoSpec spec = StandardVdso();
  spec.split = true;
  const VdsoImage image(spec);
  EXPECT_TRUE(IsCode(image, image.base() + kVdsoText));
  EXPECT_TRUE(IsCode(image, image.base() + kVdsoText + kVdsoTextSize - 1));
  EXPECT_FALSE(IsCode(image, image.base() + kVdsoText + kVdsoTextSize));
  EXPECT_FALSE(IsCode(image, image.base() + kVdsoText - 1));
  EXPECT_FALSE(IsCode(image, image.base()));
  EXPECT_FALSE(IsCode(image, 1));
}

}  // namespace
}  // namespace runtime
