// A libFuzzer target: an input is an image, for the loader to survive.
//
//   ./bazelw run --config=fuzz //tests:vdso_fuzz -- -runs=1000000
//
// It begins with the builder's images, unless it is given a corpus or a file.

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "runtime/vdso/vdso_linux.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/guarded_pages.h"
#include "tests/vdso_accept.h"
#include "tests/vdso_image.h"

// libFuzzer's interface.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace runtime {
namespace {

// The loader takes no larger image, but may be offered one.
constexpr size_t kMaxPages = 65;

// Directory is where the seeds are.
std::string& Directory() {
  static auto& directory = *new std::string;
  return directory;
}

void WriteSeed(const VdsoSpec& spec) {
  static int count = 0;
  const VdsoImage image(spec);
  std::ofstream file(Directory() + "/" + std::to_string(count++));
  file.write(image.start(), static_cast<std::streamsize>(image.size()));
  if (!file.flush()) abort();
}

// WriteSeeds writes one image for each thing that VdsoSpec has to choose.
void WriteSeeds() {
  for (const VdsoHash hash :
       {VdsoHash::kSysv, VdsoHash::kGnu, VdsoHash::kBoth}) {
    VdsoSpec standard = StandardVdso();
    standard.hash = hash;
    WriteSeed(standard);
    const auto vary = [&standard](auto change) {
      VdsoSpec spec = standard;
      change(&spec);
      WriteSeed(spec);
    };
    vary([](VdsoSpec* s) { s->split = true; });
    vary([](VdsoSpec* s) { s->leading_phdr = true; });
    vary([](VdsoSpec* s) { s->trailing_load = 2; });
    vary([](VdsoSpec* s) { s->link_base = kHighLinkBase; });
    vary([](VdsoSpec* s) { s->nbucket = 1; });
    vary([](VdsoSpec* s) { s->bloom_size = 1; });
    vary([](VdsoSpec* s) { s->versions.push_back("LINUX_9.9"); });
    vary([](VdsoSpec* s) { s->versions.clear(); });
    vary([](VdsoSpec* s) {
      for (VdsoSymbol& symbol : s->symbols) {
        symbol.type = STT_NOTYPE;
        symbol.bind = STB_WEAK;
        symbol.hidden = true;
      }
    });
    for (int i = 0; i <= static_cast<int>(VdsoTable::kDynamic); ++i) {
      const auto table = static_cast<VdsoTable>(i);
      if (table == VdsoTable::kHash && hash == VdsoHash::kGnu) continue;
      if (table == VdsoTable::kGnuHash && hash == VdsoHash::kSysv) continue;
      vary([table](VdsoSpec* s) {
        s->last = table;
        s->split = true;
      });
    }
  }
}

// Check ends the run: libFuzzer keeps the input.
void Check(bool ok) {
  if (!ok) abort();
}

// CheckLoad offers the image to the loader, which may accept only code.
void CheckLoad(uintptr_t base, size_t size) {
  vdsoSymbols syms;
  vdsoauxv(AT_SYSINFO_EHDR, base, &syms);
  for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
    const uintptr_t addr = syms.*key.sym;
    if (addr == 0) continue;
    Check(IsCode(base, size, addr));
    Check(inVDSOPage(addr));
    Check(addr >= syms.vdsoTextStart && addr < syms.vdsoTextEnd);
  }
  if (syms.vdsoLoadStart == 0) {
    Check(syms.vdsoLoadEnd == 0 && syms.vdsoTextEnd == 0);
    return;
  }
  Check(base <= syms.vdsoLoadStart && syms.vdsoLoadStart < syms.vdsoLoadEnd &&
        syms.vdsoLoadEnd <= base + size);
  if (syms.vdsoTextEnd != 0) {
    Check(syms.vdsoLoadStart <= syms.vdsoTextStart &&
          syms.vdsoTextStart <= syms.vdsoTextEnd &&
          syms.vdsoTextEnd <= syms.vdsoLoadEnd);
  }
}

}  // namespace
}  // namespace runtime

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto is_path = [](const char* arg) { return arg[0] != '-'; };
  if (std::any_of(*argv + 1, *argv + *argc, is_path)) return 0;

  std::string& directory = runtime::Directory();
  directory = std::filesystem::temp_directory_path() / "vdso_fuzz.XXXXXX";
  runtime::Check(mkdtemp(directory.data()) != nullptr);
  atexit([] { std::filesystem::remove_all(runtime::Directory()); });
  runtime::WriteSeeds();

  // libFuzzer reads its arguments after this, and never frees them.
  char** args = new char*[static_cast<size_t>(*argc) + 2];
  std::copy_n(*argv, *argc, args);
  args[(*argc)++] = directory.data();
  args[*argc] = nullptr;
  *argv = args;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t pages = (size + runtime::kVdsoPage - 1) / runtime::kVdsoPage;
  if (pages == 0 || pages > runtime::kMaxPages) return -1;
  const size_t image_size = pages * runtime::kVdsoPage;
  static auto& images = *new std::map<size_t, runtime::GuardedPages>;
  char* const image =
      images.try_emplace(pages, image_size).first->second.start();
  memcpy(image, data, size);
  memset(image + size, 0, image_size - size);
  runtime::CheckLoad(reinterpret_cast<uintptr_t>(image), image_size);
  return 0;
}
