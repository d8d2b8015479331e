#include "tests/entry_frames.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace runtime {
namespace {

using Words = std::vector<absl::string_view>;

Words Split(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

bool ParseHex(absl::string_view text, uintptr_t* value) {
  return absl::SimpleHexAtoi(text, value);
}

// ParseRow reads "0000000000000015 rsp+16   u     c-16  c-8", given the names
// of the columns from the third on.
bool ParseRow(const Words& words, const Words& columns, uintptr_t* pc,
              FrameRow* row) {
  if (words.size() != columns.size() || words.size() < 2) return false;
  const std::pair<absl::string_view, absl::string_view> cfa =
      absl::StrSplit(words[1], '+');
  if (!ParseHex(words[0], pc) ||
      !absl::SimpleAtoi(cfa.second, &row->cfa_offset))
    return false;
  row->cfa_register = std::string(cfa.first);
  for (size_t i = 2; i < words.size(); ++i) {
    absl::string_view rule = words[i];
    if (rule == "u") continue;  // unchanged
    intptr_t offset;
    if (!absl::ConsumePrefix(&rule, "c") || !absl::SimpleAtoi(rule, &offset)) {
      return false;
    }
    row->saved[std::string(columns[i])] = offset;
  }
  return true;
}

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

// ParseRange reads the "pc=begin..end" of a line.
bool ParseRange(absl::string_view word, Range* range) {
  if (!absl::ConsumePrefix(&word, "pc=")) return false;
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(word, "..");
  return ParseHex(ends.first, &range->begin) &&
         ParseHex(ends.second, &range->end);
}

// ParseFrames returns the ranges of the functions. A function without rows of
// its own has the common one.
std::vector<Range> ParseFrames(absl::string_view readelf,
                               std::map<uintptr_t, FrameRow>* rows) {
  std::vector<Range> functions;
  Words columns;
  FrameRow common;
  for (const absl::string_view line : absl::StrSplit(readelf, '\n')) {
    const Words words = Split(line);
    if (words.empty()) {
      columns.clear();
    } else if (words[0] == "LOC") {
      columns = words;
    } else if (Range range; ParseRange(words.back(), &range)) {
      functions.push_back(range);
      (*rows)[range.begin] = common;
    } else if (!columns.empty()) {
      uintptr_t pc;
      FrameRow row;
      if (!ParseRow(words, columns, &pc, &row)) return {};
      if (functions.empty()) {
        common = row;
      } else {
        (*rows)[pc] = row;
      }
    }
  }
  return functions;
}

}  // namespace

const FrameRow* EntryFrames::At(uintptr_t offset) const {
  auto row = rows.upper_bound(offset);
  return row == rows.begin() ? nullptr : &(--row)->second;
}

EntryFrames ParseEntryFrames(absl::string_view readelf,
                             absl::string_view objdump) {
  EntryFrames frames;
  const std::vector<Range> functions = ParseFrames(readelf, &frames.rows);
  for (const absl::string_view line : absl::StrSplit(objdump, '\n')) {
    // "  15:	mov    %rsp,%rbp"; not the data among the code.
    const Words words = Split(line);
    uintptr_t pc;
    if (words.size() < 2 || words[1] == ".word" ||
        !absl::EndsWith(words[0], ":") ||
        !ParseHex(absl::StripSuffix(words[0], ":"), &pc)) {
      continue;
    }
    for (const Range& function : functions) {
      if (pc >= function.begin && pc < function.end) {
        frames.instructions.push_back(pc);
      }
    }
  }
  return frames;
}

}  // namespace runtime
