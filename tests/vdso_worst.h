// The images that cost a loader the most: each walk as long as it may be, and
// what it looks for at its very end.

#ifndef TESTS_VDSO_WORST_H_
#define TESTS_VDSO_WORST_H_

#include <stddef.h>
#include <stdint.h>

#include <string>

#include "tests/guarded_pages.h"

namespace runtime {

// WorstSpec describes an image by its lengths; the smallest image as is.
struct WorstSpec {
  size_t size = 0x10000;   // of the segment
  size_t segments = 3;     // program headers; the code's is the last but one
  uint32_t dynamic = 9;    // entries; those that matter are the last ones
  uint32_t versions = 3;   // definitions; equal hashes and prefixes
  uint32_t gnu_chain = 1;  // symbols before the right one; 0: no such table
  uint32_t chain = 1;      // ... of DT_HASH
  // Which of the chains gets to the right symbol. The others have an end.
  bool gnu_finds = true;
  bool hash_finds = true;
};

// kMaxSegments is how many program headers the first page has room for.
extern const size_t kMaxSegments;

// WorstVdso is such an image, for this arch's symbols.
class WorstVdso {
 public:
  explicit WorstVdso(const WorstSpec& spec);

  uintptr_t base() const { return reinterpret_cast<uintptr_t>(pages_.start()); }
  // Where all of the symbols are.
  uintptr_t address() const { return base() + spec_.size - 1; }

 private:
  template <typename T>
  T* Take(size_t count);
  uintptr_t Offset(const void* at) const;
  uint32_t AddString(std::string string, bool right);
  void WriteSegments();
  void WriteVersions();
  void WriteSymbols();
  void WriteGnuHash();
  void WriteHash();
  void WriteDynamic();

  WorstSpec spec_;
  GuardedPages pages_;
  uintptr_t next_;  // the first free offset
  uint32_t per_key_ = 0;
  uint32_t symbol_count_ = 0;
  uintptr_t dynamic_ = 0;
  uintptr_t strings_ = 0;
  uintptr_t strings_size_ = 0;
  uintptr_t verdef_ = 0;
  uintptr_t versym_ = 0;
  uintptr_t symtab_ = 0;
  uintptr_t gnu_hash_ = 0;
  uintptr_t hash_ = 0;
};

}  // namespace runtime

#endif  // TESTS_VDSO_WORST_H_
