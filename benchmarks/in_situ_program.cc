#include "benchmarks/in_situ_program.h"

#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/in_situ_rows.h"
#include "benchmarks/working_set.h"

namespace runtime {
namespace {

constexpr char kAbout[] =
    "What a reading of the clock adds to a loop that loads from memory.\n"
    "\n"
    "usage: in_situ [flags]\n"
    "\n"
    "A loop of nothing but readings hides what they do to the code around\n"
    "them: a reading waits for the loads before it, those after it wait for\n"
    "the reading, and it needs caches of its own. Here each step of a loop\n"
    "makes loads and one reading, BenchmarkInSitu/WORK/SET/READING.\n"
    "\n"
    "  WORK     chase: one load, whose address the load before it gave. The\n"
    "           CPU has to wait for it anyway: what a reading adds is about\n"
    "           its own time.\n"
    "           loads: eight loads at random that do not need one another.\n"
    "           The CPU would overlap them with those of later steps: what a\n"
    "           reading adds is also what it keeps from overlapping.\n"
    "  SET      where the loads go: 32KiB stays in a first level's cache,\n"
    "           256MiB is larger than any; in huge pages if there are any.\n"
    "  READING  nanotime, walltime, now; RawVDSO, a call through the resolved\n"
    "           pointer that converts nothing, without a vDSO RawSyscall;\n"
    "           libc, its clock_gettime; none, the same loop without one.\n"
    "\n"
    "ns/op is a step. added-ns is what it takes longer than with none, x-vdso\n"
    "(x-syscall) the ratio of that to what RawVDSO (RawSyscall) adds. The\n"
    "repetitions are interleaved at random, on one CPU; the minimum counts.\n"
    "Differences of large numbers are rough: chase/256MiB is good to 2 ns.\n"
    "JSON's context names for each WORK and SET the two rows of the ratio.\n";

constexpr char kFlagsHelp[] =
    "  --sets=SIZE,...                          default: 32KiB,256MiB\n";

bool ParseSize(absl::string_view text, SetSize* size) {
  size->name = std::string(text);
  int shift = 0;
  if (absl::ConsumeSuffix(&text, "KiB")) {
    shift = 10;
  } else if (absl::ConsumeSuffix(&text, "MiB")) {
    shift = 20;
  } else if (absl::ConsumeSuffix(&text, "GiB")) {
    shift = 30;
  }
  if (shift == 0 || text.empty() || !absl::ascii_isdigit(text.front()) ||
      !absl::SimpleAtoi(text, &size->bytes) ||
      size->bytes > (WorkingSet::kMaxSize >> shift)) {
    return false;
  }
  size->bytes <<= shift;
  return size->bytes >= WorkingSet::kMinSize;
}

bool ParseSizes(absl::string_view text, std::vector<SetSize>* sizes) {
  sizes->clear();
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    SetSize size;
    if (!ParseSize(part, &size)) return false;
    for (const SetSize& other : *sizes) {
      if (other.bytes == size.bytes) return false;
    }
    sizes->push_back(std::move(size));
  }
  return true;
}

}  // namespace

Program InSituProgram() {
  const auto sizes = std::make_shared<std::vector<SetSize>>();
  ParseSizes("32KiB,256MiB", sizes.get());

  Program program;
  program.about = kAbout;
  program.flags_help = kFlagsHelp;
  program.flags.push_back(
      {"sets", "different sizes from 4KiB to 64GiB, please, as in 32KiB,1MiB.",
       [sizes](absl::string_view value) {
         return ParseSizes(value, sizes.get());
       }});
  program.register_rows = [sizes](double min_time,
                                  const std::function<void()>& before_each) {
    return RegisterInSituRows(*sizes, min_time, before_each);
  };
  return program;
}

}  // namespace runtime
