// The limits of the loader's walks: what is just within them resolves, what is
// just beyond them does not.

#include <elf.h>
#include <stdint.h>

#include <functional>
#include <ostream>
#include <string>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/vdso_load.h"
#include "tests/vdso_worst.h"

namespace runtime {
namespace {

// The limits, as vdso_read.h has them, once more.
constexpr size_t kMaxImageSize = 256 << 10;
constexpr uint32_t kMaxDynamic = 256;
constexpr uint32_t kMaxVersions = 64;
constexpr uint32_t kMaxChain = 128;

struct LimitRow {
  const char* name;
  std::function<void(WorstSpec*, uint32_t beyond)> change;

  friend std::ostream& operator<<(std::ostream& out, const LimitRow& row) {
    return out << row.name;
  }
};

const LimitRow kLimitRows[] = {
    {"ImageSize",
     [](WorstSpec* s, uint32_t beyond) { s->size = kMaxImageSize + beyond; }},
    {"Segments", [](WorstSpec* s,
                    uint32_t beyond) { s->segments = kMaxSegments + beyond; }},
    {"Dynamic",
     [](WorstSpec* s, uint32_t beyond) { s->dynamic = kMaxDynamic + beyond; }},
    {"Versions",
     [](WorstSpec* s, uint32_t beyond) {
       s->versions = kMaxVersions + beyond;
       // On 386, the second version is found before the first.
       if (beyond != 0) s->versions += 1;
     }},
    {"GnuChain",
     [](WorstSpec* s, uint32_t beyond) {
       s->gnu_chain = kMaxChain - 1 + beyond;
       s->chain = 0;
     }},
    {"GnuChainBesideHash",
     [](WorstSpec* s, uint32_t beyond) {
       s->gnu_chain = kMaxChain - 1 + beyond;
       s->hash_finds = false;
     }},
    {"Chain",
     [](WorstSpec* s, uint32_t beyond) {
       s->gnu_chain = 0;
       s->chain = kMaxChain - 1 + beyond;
     }},
    // DT_GNU_HASH is sound and finds nothing, so DT_HASH is asked.
    {"ChainBesideGnuHash",
     [](WorstSpec* s, uint32_t beyond) {
       s->gnu_finds = false;
       s->chain = kMaxChain - 1 + beyond;
     }},
};

class VdsoLimitTest : public testing::TestWithParam<LimitRow> {
 protected:
  // Resolved is how many of the symbols were found, all at the right address.
  int Resolved(uint32_t beyond) {
    WorstSpec spec;
    GetParam().change(&spec, beyond);
    const WorstVdso image(spec);
    const VdsoLoad load = LoadVdso(image.base());
    EXPECT_FALSE(load.faulted);
    int resolved = 0;
    for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
      if (load.syms.*key.sym == image.address()) ++resolved;
    }
    return resolved;
  }
};

constexpr int kAll = sizeof vdsoSymbolKeys / sizeof vdsoSymbolKeys[0];

TEST_P(VdsoLimitTest, HoldsAndNoMore) {
  EXPECT_EQ(Resolved(0), kAll);
  EXPECT_EQ(Resolved(1), 0);
}

INSTANTIATE_TEST_SUITE_P(Limit, VdsoLimitTest, testing::ValuesIn(kLimitRows),
                         [](const testing::TestParamInfo<LimitRow>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace runtime
