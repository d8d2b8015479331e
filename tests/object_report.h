#ifndef TESTS_OBJECT_REPORT_H_
#define TESTS_OBJECT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace runtime {

// ObjectReport is what the tests want to know of an object file, as readelf
// prints it. Functions are those in one text section only, as assembly files
// have it.
struct ObjectReport {
  struct Symbol {
    std::string name;
    uint64_t value;
    uint64_t size;
    bool function;
    bool global;  // or weak; and defined
    bool hidden;
  };
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  std::string name;
  bool stack_note = false;  // .note.GNU-stack is there
  bool exec_stack = false;  // ... and asks for an executable stack
  bool property_note = false;
  std::vector<Symbol> symbols;
  std::vector<std::string> needed;  // undefined, and not weak
  std::vector<Range> frames;        // what the call frame information covers
};

// ParseReadelf reads the output of readelf -W --sections --symbols
// --debug-dump=frames for an archive of object files.
std::vector<ObjectReport> ParseReadelf(absl::string_view text);

// ObjectFaults lists what is wrong with an object: a stack that would be
// executable, symbols that could clash with the embedder's.
std::vector<std::string> ObjectFaults(const ObjectReport& object);

// MissingSymbols lists what the objects need and none of them defines: what a
// program that links them must have from elsewhere.
std::vector<std::string> MissingSymbols(
    const std::vector<ObjectReport>& objects);

// FrameFaults lists the functions of an assembly file that an unwinder does not
// know from their first byte to their last.
std::vector<std::string> FrameFaults(const ObjectReport& object);

}  // namespace runtime

#endif  // TESTS_OBJECT_REPORT_H_
