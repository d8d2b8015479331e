#include "tests/object_report.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace runtime {
namespace {

using Words = std::vector<absl::string_view>;

uint64_t Hex(absl::string_view digits) {
  uint64_t value = 0;
  const bool ok = absl::SimpleHexAtoi(digits, &value);
  return ok ? value : 0;
}

// A line of --sections: [Nr] name type address offset size entsize flags ...
void ParseSection(const Words& words, ObjectReport* object) {
  const absl::string_view name = words[0];
  if (name == ".note.gnu.property") object->property_note = true;
  if (name != ".note.GNU-stack") return;
  object->stack_note = true;
  object->exec_stack = words.size() > 6 && absl::StrContains(words[6], 'X');
}

// A line of --symbols: number value size type binding visibility section name
void ParseSymbol(const Words& words, ObjectReport* object) {
  ObjectReport::Symbol symbol;
  symbol.name = std::string(words[7]);
  symbol.value = Hex(words[1]);
  if (!absl::SimpleAtoi(words[2], &symbol.size)) symbol.size = Hex(words[2]);
  symbol.function = words[3] == "FUNC";
  symbol.global = words[4] != "LOCAL" && words[6] != "UND";
  symbol.hidden = words[5] == "HIDDEN";
  if (words[6] != "UND") {
    object->symbols.push_back(symbol);
  } else if (words[4] == "GLOBAL") {
    object->needed.push_back(symbol.name);
  }
}

// A line of --debug-dump=frames: offset length id FDE cie=... pc=begin..end
void ParseFrame(absl::string_view pc, ObjectReport* object) {
  const std::pair<absl::string_view, absl::string_view> range =
      absl::StrSplit(absl::StripPrefix(pc, "pc="), "..");
  object->frames.push_back({Hex(range.first), Hex(range.second)});
}

// MayBeOpen tells whether a visible symbol is one of the C interface, or else
// one that cannot clash: the implementation's, and the standard library's
// inline functions.
bool MayBeOpen(absl::string_view name) {
  for (const absl::string_view prefix :
       {"runtime_", "__", "_ZNSt", "_ZNKSt", "_ZSt"}) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  return false;
}

}  // namespace

std::vector<ObjectReport> ParseReadelf(absl::string_view text) {
  std::vector<ObjectReport> objects;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "File: ")) {
      objects.emplace_back();
      objects.back().name = std::string(line);
    }
    if (objects.empty()) continue;
    ObjectReport* object = &objects.back();
    const size_t bracket = line.find("] ");
    const bool section = absl::StartsWith(line, "  [");
    const Words words = absl::StrSplit(
        section && bracket != line.npos ? line.substr(bracket + 2) : line, ' ',
        absl::SkipEmpty());
    if (section && words.size() > 5) {
      ParseSection(words, object);
    } else if (words.size() == 8 && words[0] != "Num:" &&
               absl::EndsWith(words[0], ":")) {
      ParseSymbol(words, object);
    } else if (words.size() == 6 && words[3] == "FDE") {
      ParseFrame(words[5], object);
    }
  }
  return objects;
}

std::vector<std::string> ObjectFaults(const ObjectReport& object) {
  std::vector<std::string> faults;
  if (!object.stack_note) faults.push_back("no .note.GNU-stack");
  if (object.exec_stack) faults.push_back("executable stack");
  for (const ObjectReport::Symbol& symbol : object.symbols) {
    if (symbol.global && !symbol.hidden && !MayBeOpen(symbol.name)) {
      faults.push_back(absl::StrCat("open symbol ", symbol.name));
    }
  }
  return faults;
}

std::vector<std::string> MissingSymbols(
    const std::vector<ObjectReport>& objects) {
  // The linker makes this one.
  std::set<std::string> defined = {"_GLOBAL_OFFSET_TABLE_"};
  for (const ObjectReport& object : objects) {
    for (const ObjectReport::Symbol& symbol : object.symbols) {
      if (symbol.global) defined.insert(symbol.name);
    }
  }
  std::set<std::string> missing;
  for (const ObjectReport& object : objects) {
    for (const std::string& name : object.needed) {
      if (defined.count(name) == 0) missing.insert(name);
    }
  }
  return {missing.begin(), missing.end()};
}

std::vector<std::string> FrameFaults(const ObjectReport& object) {
  std::vector<std::string> faults;
  for (const ObjectReport::Symbol& symbol : object.symbols) {
    if (!symbol.function) continue;
    bool covered = false;
    for (const ObjectReport::Range& frame : object.frames) {
      covered |= frame.begin <= symbol.value && symbol.size > 0 &&
                 symbol.value + symbol.size <= frame.end;
    }
    if (!covered) faults.push_back(absl::StrCat("no frame for ", symbol.name));
  }
  return faults;
}

}  // namespace runtime
