// Every byte of some images, this machine's own among them, spoiled in ten ways
// each, and every word of their tables in seven: the loader must return, stay
// within the image, and accept no address but one of its code.

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include <algorithm>
#include <iterator>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/fault_catcher.h"
#include "tests/guarded_pages.h"
#include "tests/vdso_accept.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

using Loader = void (*)(uintptr_t tag, uintptr_t val, vdsoSymbols* syms);

// Spoiler spoils an image, one place at a time.
class Spoiler {
 public:
  Spoiler(char* start, size_t size, Loader loader = &vdsoauxv)
      : start_(start), size_(size), loader_(loader) {}

  // SpoilBytes and SpoilWords go over the image up to end and stop at the first
  // change that is not taken well. They return whether there was none.
  bool SpoilBytes(size_t begin, size_t end) {
    for (offset_ = begin; offset_ < end; ++offset_) {
      const auto old = static_cast<unsigned char>(start_[offset_]);
      for (int bit = 0; bit < 8; ++bit) {
        if (!Accepts(static_cast<unsigned char>(old ^ 1u << bit))) return false;
      }
      for (const unsigned char value : {0x00, 0xff}) {
        if (!Accepts(value)) return false;
      }
    }
    return true;
  }
  bool SpoilWords(size_t begin, size_t end) {
    for (offset_ = begin / 4 * 4; offset_ + 4 <= end; offset_ += 4) {
      uint32_t old;
      memcpy(&old, start_ + offset_, sizeof old);
      for (const uint32_t value :
           {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu, old + 1, old - 1}) {
        if (!Accepts(value)) return false;
      }
    }
    return true;
  }

  // The change that was made last.
  size_t offset() const { return offset_; }
  uint32_t value() const { return value_; }

 private:
  // Accepts puts the value into the image while the loader looks at it, and
  // returns whether that accepted only code.
  template <typename T>
  bool Accepts(T value) {
    T old;
    value_ = value;
    memcpy(&old, start_ + offset_, sizeof old);
    memcpy(start_ + offset_, &value, sizeof value);
    const uintptr_t base = reinterpret_cast<uintptr_t>(start_);
    vdsoSymbols syms;
    loader_(AT_SYSINFO_EHDR, base, &syms);
    const bool ok =
        std::all_of(std::begin(vdsoSymbolKeys), std::end(vdsoSymbolKeys),
                    [this, base, &syms](const vdsoSymbolKey& key) {
                      const uintptr_t addr = syms.*key.sym;
                      return addr == 0 || IsCode(base, size_, addr);
                    });
    memcpy(start_ + offset_, &old, sizeof old);
    return ok;
  }

  char* start_;
  size_t size_;
  Loader loader_;
  volatile size_t offset_ = 0;  // these two outlive a fault
  volatile uint32_t value_ = 0;
};

// SpoilAll spoils [begin, end) in all ways and returns whether all went well.
bool SpoilAll(Spoiler* spoiler, size_t begin, size_t end) {
  volatile bool ok = false;
  const bool faulted = Faults([spoiler, begin, end, &ok] {
    ok = spoiler->SpoilBytes(begin, end) && spoiler->SpoilWords(begin, end);
  });
  return ok && !faulted;
}

void ExpectHarmless(const VdsoSpec& spec) {
  const VdsoImage image(spec);
  ExpectResolved(image);
  Spoiler spoiler(image.start(), image.size());
  // The loader does not read the code, and padding is zero.
  EXPECT_TRUE(SpoilAll(&spoiler, 0, image.tables_end()) &&
              SpoilAll(&spoiler, 2 * kVdsoPage, image.size()))
      << "value " << spoiler.value() << " at " << spoiler.offset();
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

TEST(VdsoMutationTest, BothHashes) { ExpectHarmless(StandardVdso()); }

TEST(VdsoMutationTest, BothHashesInThreeSegmentsLinkedHigh) {
  VdsoSpec spec = StandardVdso();
  spec.split = true;
  spec.link_base = kHighLinkBase;
  spec.last = VdsoTable::kStrtab;
  ExpectHarmless(spec);
}

TEST(VdsoMutationTest, RelocatedAlready) {
  VdsoSpec spec = StandardVdso();
  spec.absolute_segments = true;
  spec.absolute_tables = true;
  spec.absolute_symbols = true;
  ExpectHarmless(spec);
}

// The image of the kernel that runs this test: a copy of it, code and all.
TEST(VdsoMutationTest, LiveImage) {
  const uintptr_t live = getauxval(AT_SYSINFO_EHDR);
  if (live == 0) GTEST_SKIP() << "this kernel or emulator has no vDSO";
  const VdsoLoad load = LoadVdso(live);
  ASSERT_NE(load.syms.vdsoLoadEnd, 0u);
  const size_t extent = load.syms.vdsoLoadEnd - live;
  const GuardedPages pages((extent + kVdsoPage - 1) / kVdsoPage * kVdsoPage);
  memcpy(pages.start(), reinterpret_cast<const void*>(live), extent);

  const uintptr_t copy = reinterpret_cast<uintptr_t>(pages.start());
  const VdsoLoad copy_load = LoadVdso(copy);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uintptr_t addr = load.syms.*key.sym;
    EXPECT_EQ(copy_load.syms.*key.sym, addr == 0 ? 0 : addr - live + copy)
        << key.name;
  }
  ASSERT_NE(copy_load.syms.vdsoClockgettimeSym, 0u);
  Spoiler spoiler(pages.start(), pages.size());
  EXPECT_TRUE(SpoilAll(&spoiler, 0, extent))
      << "value " << spoiler.value() << " at " << spoiler.offset();
}

// What follows shows that the checks of this file find fault when they should.

TEST(VdsoMutationTest, IsCodeIsTheExecutableSegment) {
  VdsoSpec spec = StandardVdso();
  spec.split = true;
  const VdsoImage image(spec);
  const auto is_code = [&image](uintptr_t offset) {
    return IsCode(image.base(), image.size(), image.base() + offset);
  };
  EXPECT_TRUE(is_code(kVdsoText));
  EXPECT_TRUE(is_code(kVdsoText + kVdsoTextSize - 1));
  EXPECT_FALSE(is_code(kVdsoText + kVdsoTextSize));
  EXPECT_FALSE(is_code(kVdsoText - 1));
  EXPECT_FALSE(is_code(0));
  EXPECT_FALSE(IsCode(image.base(), image.size(), 1));
}

// PhdrAt returns where the program headers are, by the image.
uintptr_t PhdrAt(uintptr_t base) {
  return base + reinterpret_cast<const ElfW(Ehdr)*>(base)->e_phoff;
}

// A loader that believes that they are there.
void FaultingLoader(uintptr_t, uintptr_t base, vdsoSymbols*) {
  const volatile char* phdr = reinterpret_cast<const char*>(PhdrAt(base));
  static_cast<void>(*phdr);
}

// A loader that believes how long a segment is.
void BelievingLoader(uintptr_t, uintptr_t base, vdsoSymbols* syms) {
  const auto* phdr = reinterpret_cast<const ElfW(Phdr)*>(PhdrAt(base));
  syms->vdsoClockgettimeSym = base + phdr->p_memsz - 1;
}

TEST(VdsoMutationTest, FindsALoaderThatFaults) {
  const VdsoImage image(StandardVdso());
  Spoiler spoiler(image.start(), image.size(), &FaultingLoader);
  EXPECT_FALSE(SpoilAll(&spoiler, 0, sizeof(ElfW(Ehdr))));
  EXPECT_TRUE(spoiler.offset() - offsetof(ElfW(Ehdr), e_phoff) <
              sizeof(ElfW(Off)));
}

TEST(VdsoMutationTest, FindsALoaderThatBelieves) {
  const VdsoImage image(StandardVdso());
  Spoiler spoiler(image.start(), image.size(), &BelievingLoader);
  EXPECT_TRUE(SpoilAll(&spoiler, 0, offsetof(ElfW(Ehdr), e_phoff)));
  EXPECT_FALSE(SpoilAll(&spoiler, sizeof(ElfW(Ehdr)), image.tables_end()));
}

}  // namespace
}  // namespace runtime
