// Offering an image to the loader.

#ifndef TESTS_VDSO_LOAD_H_
#define TESTS_VDSO_LOAD_H_

#include <elf.h>
#include <stdint.h>

#include <functional>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "runtime/vdso/vdso_linux.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/fault_catcher.h"
#include "tests/vdso_image.h"

namespace runtime {

// VdsoLoad is what became of it.
struct VdsoLoad {
  bool faulted = false;
  vdsoSymbols syms;
};

inline VdsoLoad LoadVdso(uintptr_t base) {
  VdsoLoad load;
  load.faulted =
      Faults([&load, base] { vdsoauxv(AT_SYSINFO_EHDR, base, &load.syms); });
  return load;
}

// ExpectResolved expects that the loader finds all that it looks for.
inline void ExpectResolved(const VdsoImage& image) {
  const VdsoLoad load = LoadVdso(image.base());
  ASSERT_FALSE(load.faulted);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uintptr_t addr = load.syms.*key.sym;
    EXPECT_EQ(addr, image.AddressOf(key.name, key.version.version)) << key.name;
    EXPECT_TRUE(inVDSOPage(addr)) << key.name;
  }
}

// ExpectUnresolved expects that it finds nothing.
inline void ExpectUnresolved(uintptr_t base) {
  const VdsoLoad load = LoadVdso(base);
  ASSERT_FALSE(load.faulted);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    EXPECT_EQ(load.syms.*key.sym, 0u) << key.name;
  }
}

// VdsoRow is one way in which an image differs from the standard one.
struct VdsoRow {
  const char* name;
  std::function<void(VdsoSpec*)> spec;          // before it is built
  std::function<void(const VdsoImage&)> patch;  // after that

  friend std::ostream& operator<<(std::ostream& out, const VdsoRow& row) {
    return out << row.name;
  }
};

inline VdsoImage BuildVdso(VdsoHash hash, const VdsoRow& row) {
  VdsoSpec spec = StandardVdso();
  spec.hash = hash;
  if (row.spec) row.spec(&spec);
  return VdsoImage(spec);
}

inline std::ostream& operator<<(std::ostream& out, VdsoHash hash) {
  switch (hash) {
    case VdsoHash::kSysv:
      return out << "Sysv";
    case VdsoHash::kGnu:
      return out << "Gnu";
    case VdsoHash::kBoth:
      return out << "Both";
  }
  return out;
}

// The parameter and the names of tests over rows.
using VdsoParam = std::tuple<VdsoHash, VdsoRow>;

inline std::string VdsoParamName(
    const testing::TestParamInfo<VdsoParam>& info) {
  std::ostringstream name;
  name << std::get<0>(info.param) << std::get<1>(info.param).name;
  return name.str();
}

// ExpectRejected expects that nothing resolves of a row's image.
inline void ExpectRejected(const VdsoParam& param) {
  const auto& [hash, row] = param;
  const VdsoImage image = BuildVdso(hash, row);
  if (row.patch) {
    // The patch must be what makes the difference.
    ExpectResolved(image);
    row.patch(image);
  }
  ExpectUnresolved(image.base());
}

// Makers of rows.

// EachSymbol makes a row in which every symbol is changed alike.
inline VdsoRow EachSymbol(const char* name, void (*change)(VdsoSymbol*)) {
  return {name,
          [change](VdsoSpec* s) {
            for (VdsoSymbol& symbol : s->symbols) change(&symbol);
          },
          nullptr};
}

// DropTags makes a row in which the dynamic section lacks tags.
inline VdsoRow DropTags(const char* name, int32_t tag1, int32_t tag2 = 0) {
  return {name, nullptr, [tag1, tag2](const VdsoImage& i) {
            i.dyn(tag1)->d_tag = DT_DEBUG;
            if (tag2 != 0) i.dyn(tag2)->d_tag = DT_DEBUG;
          }};
}

}  // namespace runtime

#endif  // TESTS_VDSO_LOAD_H_
