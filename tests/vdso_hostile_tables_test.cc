// What the loader must not believe, continued: hash tables, versions, symbols
// and names that are broken in one place.

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/vdso_image.h"
#include "tests/vdso_load.h"

namespace runtime {
namespace {

// Patch makes a row with a patch only, Gnu and Sysv rows whose hash table ends
// where the image ends.
VdsoRow Patch(const char* name, void (*patch)(const VdsoImage&)) {
  return {name, nullptr, patch};
}

VdsoRow Sysv(const char* name, void (*patch)(const VdsoImage&)) {
  return {name, [](VdsoSpec* s) { s->last = VdsoTable::kHash; }, patch};
}

VdsoRow Gnu(const char* name, void (*patch)(const VdsoImage&)) {
  return {name, [](VdsoSpec* s) { s->last = VdsoTable::kGnuHash; }, patch};
}

// SysvBucket and SysvChain are the parts of DT_HASH.
uint32_t* SysvBucket(const VdsoImage& i) { return i.hash() + kSysvBuckets; }
uint32_t* SysvChain(const VdsoImage& i) {
  return SysvBucket(i) + i.hash()[kSysvNbucket];
}

void FillSysvBuckets(const VdsoImage& i, uint32_t index) {
  std::fill_n(SysvBucket(i), i.hash()[kSysvNbucket], index);
}

void FillGnuBuckets(const VdsoImage& i, uint32_t index) {
  std::fill_n(i.gnu_buckets(), i.gnu_hash()[kGnuNbucket], index);
}

// Stray is a symbol that the loader does not look for.
uint32_t Stray(const VdsoImage& i) {
  for (uint32_t n = 1; n < i.symbol_count(); ++n) {
    if (strcmp(i.strtab() + i.symtab()[n].st_name, "__vdso_time") == 0) {
      return n;
    }
  }
  ADD_FAILURE();
  return 0;
}

const VdsoRow kSysvRows[] = {
    DropTags("NoHash", DT_HASH),
    Patch("Null", [](const VdsoImage& i) { i.dyn(DT_HASH)->d_un.d_ptr = 0; }),
    Patch("Misaligned",
          [](const VdsoImage& i) { i.dyn(DT_HASH)->d_un.d_ptr += 1; }),
    Patch("AtTop", [](const VdsoImage& i) { i.dyn(DT_HASH)->d_un.d_ptr = -4; }),
    Sysv("InLastWord",
         [](const VdsoImage& i) {
           i.dyn(DT_HASH)->d_un.d_ptr = 3 * kVdsoPage - 4;
         }),
    Sysv("NbucketZero", [](const VdsoImage& i) { i.hash()[kSysvNbucket] = 0; }),
    Sysv("NchainZero", [](const VdsoImage& i) { i.hash()[kSysvNchain] = 0; }),
    Sysv("NchainOneTooMany",
         [](const VdsoImage& i) { ++i.hash()[kSysvNchain]; }),
    Sysv("NbucketHuge",
         [](const VdsoImage& i) { i.hash()[kSysvNbucket] = 0x7fffffff; }),
    Sysv("NchainHuge",
         [](const VdsoImage& i) { i.hash()[kSysvNchain] = 0x7fffffff; }),
    // Times four, these are 0 in 32 bits.
    Sysv("NbucketWraps",
         [](const VdsoImage& i) { i.hash()[kSysvNbucket] = 0x40000000; }),
    Sysv("NchainWraps",
         [](const VdsoImage& i) { i.hash()[kSysvNchain] = 0x40000000; }),
    Sysv("NbucketMax",
         [](const VdsoImage& i) { i.hash()[kSysvNbucket] = UINT32_MAX; }),
    Sysv("NchainMax",
         [](const VdsoImage& i) { i.hash()[kSysvNchain] = UINT32_MAX; }),
    Sysv("BucketsEmpty", [](const VdsoImage& i) { FillSysvBuckets(i, 0); }),
    Sysv("BucketsHuge",
         [](const VdsoImage& i) { FillSysvBuckets(i, UINT32_MAX); }),
    Sysv("BucketsOneTooFar",
         [](const VdsoImage& i) { FillSysvBuckets(i, i.hash()[kSysvNchain]); }),
    Sysv("ChainOfOneSymbolForever",
         [](const VdsoImage& i) {
           FillSysvBuckets(i, Stray(i));
           SysvChain(i)[Stray(i)] = Stray(i);
         }),
    Sysv("ChainOfTwoSymbolsForever",
         [](const VdsoImage& i) {
           for (uint32_t n = 1; n < i.symbol_count(); ++n) {
             i.symtab()[n].st_name = 1;
           }
           FillSysvBuckets(i, 1);
           SysvChain(i)[1] = 2;
           SysvChain(i)[2] = 1;
         }),
    Sysv("ChainOutside",
         [](const VdsoImage& i) {
           FillSysvBuckets(i, Stray(i));
           SysvChain(i)[Stray(i)] = 0x7fffffff;
         }),
};

const VdsoRow kGnuRows[] = {
    DropTags("NoHash", DT_GNU_HASH),
    Patch("Null",
          [](const VdsoImage& i) { i.dyn(DT_GNU_HASH)->d_un.d_ptr = 0; }),
    Patch("Misaligned",
          [](const VdsoImage& i) { i.dyn(DT_GNU_HASH)->d_un.d_ptr += 1; }),
    Patch("AtTop",
          [](const VdsoImage& i) { i.dyn(DT_GNU_HASH)->d_un.d_ptr = -8; }),
    Gnu("InLastWords",
        [](const VdsoImage& i) {
          i.dyn(DT_GNU_HASH)->d_un.d_ptr = 3 * kVdsoPage - 8;
        }),
    Gnu("NbucketZero",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = 0; }),
    Gnu("NbucketHuge",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = 0x7fffffff; }),
    Gnu("NbucketWraps",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = 0x40000000; }),
    Gnu("NbucketMax",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = UINT32_MAX; }),
    // All of the chain and one word more.
    Gnu("NbucketBehindImage",
        [](const VdsoImage& i) {
          i.gnu_hash()[kGnuNbucket] +=
              static_cast<uint32_t>(i.symbol_count()) + 2;
        }),
    Gnu("BloomHuge",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuBloomSize] = 0x7fffffff; }),
    Gnu("BloomMax",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuBloomSize] = UINT32_MAX; }),
    // Times the size of a word, this is 0 in 32 bits.
    Gnu("BloomWraps",
        [](const VdsoImage& i) {
          i.gnu_hash()[kGnuBloomSize] =
              sizeof(uintptr_t) == 8 ? 0x20000000 : 0x40000000;
        }),
    Gnu("SymOffHuge",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuSymOff] = 0x7fffffff; }),
    Gnu("SymOffMax",
        [](const VdsoImage& i) { i.gnu_hash()[kGnuSymOff] = UINT32_MAX; }),
    Gnu("BucketsEmpty", [](const VdsoImage& i) { FillGnuBuckets(i, 0); }),
    Gnu("BucketsBelowSymOff",
        [](const VdsoImage& i) {
          i.gnu_hash()[kGnuSymOff] = 2;
          FillGnuBuckets(i, 1);
        }),
    Gnu("BucketsHuge",
        [](const VdsoImage& i) { FillGnuBuckets(i, 0x7fffffff); }),
    Gnu("BucketsMax",
        [](const VdsoImage& i) { FillGnuBuckets(i, UINT32_MAX); }),
    Gnu("ChainWithoutEnd",
        [](const VdsoImage& i) {
          std::fill_n(i.gnu_chain(), i.symbol_count() - 1, 0);
        }),
    {"ChainEndsBeforeItsSymbol", [](VdsoSpec* s) { s->nbucket = 1; },
     [](const VdsoImage& i) {
       i.gnu_chain()[Stray(i) - i.gnu_hash()[kGnuSymOff]] |= 1;
     }},
    Gnu("ChainOfOtherHashes",
        [](const VdsoImage& i) {
          std::fill_n(i.gnu_chain(), i.symbol_count() - 1, 1);
        }),
};

// VdsoTablesTest is a row's image, of which nothing must resolve.
class VdsoTablesTest : public testing::TestWithParam<VdsoParam> {};

TEST_P(VdsoTablesTest, ResolvesNothing) { ExpectRejected(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Hash, VdsoTablesTest,
                         testing::Combine(testing::Values(VdsoHash::kSysv),
                                          testing::ValuesIn(kSysvRows)),
                         VdsoParamName);

INSTANTIATE_TEST_SUITE_P(GnuHash, VdsoTablesTest,
                         testing::Combine(testing::Values(VdsoHash::kGnu),
                                          testing::ValuesIn(kGnuRows)),
                         VdsoParamName);

}  // namespace
}  // namespace runtime
