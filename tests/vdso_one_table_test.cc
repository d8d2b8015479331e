// Images with two hash tables, one of which is of no use.

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

void FillGnuBuckets(const VdsoImage& i, uint32_t index) {
  std::fill_n(i.gnu_buckets(), i.gnu_hash()[kGnuNbucket], index);
}

void FillGnuChain(const VdsoImage& i, uint32_t entry) {
  std::fill_n(i.gnu_chain(), i.symbol_count() - i.gnu_hash()[kGnuSymOff],
              entry);
}

// A broken table of one kind, beside a good one of the other: what musl died of
// when a toolchain wrote a corrupt DT_HASH.
const VdsoRow kOneGoodTableRows[] = {
    {"SysvNoBuckets", nullptr,
     [](const VdsoImage& i) { i.hash()[kSysvNbucket] = 0; }},
    {"SysvHuge", nullptr,
     [](const VdsoImage& i) {
       memset(i.hash(), 0xff, i.table_size(VdsoTable::kHash));
     }},
    {"SysvOutside", nullptr,
     [](const VdsoImage& i) { i.dyn(DT_HASH)->d_un.d_ptr = UINTPTR_MAX; }},
    {"GnuNoBuckets", nullptr,
     [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = 0; }},
    {"GnuHugeBloom", nullptr,
     [](const VdsoImage& i) { i.gnu_hash()[kGnuBloomSize] = 0x7fffffff; }},
    {"GnuOutside", nullptr,
     [](const VdsoImage& i) { i.dyn(DT_GNU_HASH)->d_un.d_ptr = UINTPTR_MAX; }},
    // The header is sound, and what it leads to is not.
    {"GnuBucketsEmpty", nullptr,
     [](const VdsoImage& i) { FillGnuBuckets(i, 0); }},
    {"GnuBucketsHuge", nullptr,
     [](const VdsoImage& i) { FillGnuBuckets(i, UINT32_MAX); }},
    {"GnuSymOffHuge", nullptr,
     [](const VdsoImage& i) { i.gnu_hash()[kGnuSymOff] = UINT32_MAX; }},
    {"GnuOtherNbucket", nullptr,
     [](const VdsoImage& i) { i.gnu_hash()[kGnuNbucket] = 1; }},
    {"GnuOtherBloomSize", nullptr,
     [](const VdsoImage& i) { i.gnu_hash()[kGnuBloomSize] = 0; }},
    {"GnuChainOfOtherHashes", nullptr,
     [](const VdsoImage& i) { FillGnuChain(i, 0); }},
    {"GnuChainEndsAtOnce", nullptr,
     [](const VdsoImage& i) { FillGnuChain(i, 1); }},
    {"GnuAtText", nullptr,
     [](const VdsoImage& i) { i.dyn(DT_GNU_HASH)->d_un.d_ptr = kVdsoText; }},
    // Nothing is behind the chain, and no entry is its last.
    {"GnuChainWithoutEnd", [](VdsoSpec* s) { s->last = VdsoTable::kGnuHash; },
     [](const VdsoImage& i) { FillGnuChain(i, 0); }},
    {"SysvBucketsEmpty", nullptr,
     [](const VdsoImage& i) {
       std::fill_n(i.hash() + kSysvBuckets, i.hash()[kSysvNbucket], 0);
     }},
    {"SysvBucketsHuge", nullptr,
     [](const VdsoImage& i) {
       std::fill_n(i.hash() + kSysvBuckets, i.hash()[kSysvNbucket], UINT32_MAX);
     }},
    {"SysvNchainZero", nullptr,
     [](const VdsoImage& i) { i.hash()[kSysvNchain] = 0; }},
};

class VdsoOneTableTest : public testing::TestWithParam<VdsoParam> {};

TEST_P(VdsoOneTableTest, Resolves) {
  const auto& [hash, row] = GetParam();
  const VdsoImage image = BuildVdso(hash, row);
  row.patch(image);
  ExpectResolved(image);
}

INSTANTIATE_TEST_SUITE_P(Row, VdsoOneTableTest,
                         testing::Combine(testing::Values(VdsoHash::kBoth),
                                          testing::ValuesIn(kOneGoodTableRows)),
                         VdsoParamName);

// Both are of no use: nothing resolves, and no table is reported where none is
// sound.
TEST(VdsoNoTableTest, ResolvesNothing) {
  for (const uint32_t nbucket : {0u, UINT32_MAX}) {
    const VdsoImage image = BuildVdso(VdsoHash::kBoth, {});
    image.hash()[kSysvNbucket] = nbucket;
    FillGnuBuckets(image, 0);
    ExpectUnresolved(image.base());
    image.gnu_hash()[kGnuNbucket] = nbucket;
    ExpectUnresolved(image.base());
    EXPECT_EQ(LoadVdso(image.base()).syms.vdsoLoadStart, 0u);
  }
}

}  // namespace
}  // namespace runtime
