// No image, however bad, costs the loader more than a fixed number of
// instructions.

#include <elf.h>
#include <stdint.h>

#include <functional>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/step_counter.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"
#include "tests/vdso_worst.h"

namespace runtime {
namespace {

// kMaxSteps bounds what vdsoauxv takes without optimisation, which is about
// four times what it takes with it. By the limits of vdso_read.h, and
// the instructions counted for one turn of each walk on 386, which has the most
// symbols, three:
//
//   3 symbols * 2 tables * 128 symbols on the chain * 650    499,200
//   3 symbols * 64 versions * 460                             88,320
//   8 walks over 256 dynamic entries * 16                     32,768
//   126 program headers * 350                                 44,100
//   64 pages * 50                                              3,200
//   what the standard image takes                             13,000
//                                                            -------
//                                                            680,588
constexpr int64_t kMaxSteps = 1'000'000;

std::function<void()> Load(uintptr_t base) {
  return [base] {
    vdsoSymbols syms;
    vdsoauxv(AT_SYSINFO_EHDR, base, &syms);
  };
}

// Turns goes through a loop of two instructions.
std::function<void()> Turns(uint32_t turns) {
  return [turns] {
    uint32_t left = turns;
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("1: sub $1, %0\n\tjne 1b" : "+r"(left) : : "cc");
#elif defined(__aarch64__)
    __asm__ volatile("1: subs %w0, %w0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
#elif defined(__arm__)
    __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(left) : : "cc");
#endif
  };
}

class VdsoStepsTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "most of the steps would be the sanitizer's";
#endif
    nothing_ = CountSteps(Load(0), kMaxSteps);
    if (nothing_ == -1) GTEST_SKIP() << "no single steps here";
    ASSERT_GT(nothing_, 0);
  }

  // Steps is what the image at base costs.
  int64_t Steps(uintptr_t base) {
    return CountSteps(Load(base), 2 * kMaxSteps) - nothing_;
  }

 private:
  int64_t nothing_ = 0;
};

TEST_F(VdsoStepsTest, StandardImage) {
  const VdsoImage image(StandardVdso());
  const int64_t steps = Steps(image.base());
  RecordProperty("steps", static_cast<int>(steps));
  EXPECT_GT(steps, 100);
  EXPECT_LT(steps, kMaxSteps / 10);
}

// All walks as long as they may be. What is looked for is found at the end of
// DT_HASH, after all of DT_GNU_HASH.
TEST_F(VdsoStepsTest, WorstImage) {
  WorstSpec spec;
  spec.size = 256 << 10;
  spec.segments = kMaxSegments;
  spec.dynamic = 256;
  spec.versions = 64;
  spec.gnu_chain = 128;
  spec.chain = 127;
  const WorstVdso image(spec);
  const VdsoLoad load = LoadVdso(image.base());
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    EXPECT_EQ(load.syms.*key.sym, image.address()) << key.name;
  }
  const int64_t steps = Steps(image.base());
  RecordProperty("steps", static_cast<int>(steps));
  EXPECT_GT(steps, 10'000);
  EXPECT_LT(steps, kMaxSteps);
}

// The counter counts.
TEST_F(VdsoStepsTest, CountsALoopExactly) {
  const int64_t once = CountSteps(Turns(1), kMaxSteps);
  EXPECT_EQ(CountSteps(Turns(2), kMaxSteps) - once, 2);
  EXPECT_EQ(CountSteps(Turns(5001), kMaxSteps) - once, 10'000);
}

// A walk without an end would be seen.
TEST_F(VdsoStepsTest, GivesUpOnALoopWithoutEnd) {
  EXPECT_EQ(CountSteps(
                [] {
                  for (volatile int i = 0;; i = i + 1)
                    ;
                },
                10'000),
            10'000);
}

TEST_F(VdsoStepsTest, SaysWhenTheChildDied) {
  EXPECT_EQ(CountSteps([] { __builtin_trap(); }, 10'000), -2);
}

}  // namespace
}  // namespace runtime
