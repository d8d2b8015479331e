#include "benchmarks/flags.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "benchmark/benchmark.h"

namespace runtime {
namespace {

struct Default {
  const char* flag;
  const char* value;
};

// kDefaults are where we differ from Google Benchmark, and what an earlier run
// in the same process could have left behind. Many short repetitions: the
// minimum needs one that nothing disturbed. On a machine with five times as
// many tasks as CPUs, repetitions of 0.2 ms agree to 2 %, of 1 ms less, and
// of 10 ms not at all.
constexpr Default kDefaults[] = {
    {"benchmark_filter", ""},
    {"benchmark_repetitions", "1500"},
    {"benchmark_min_time", "0.0002"},
    {"benchmark_enable_random_interleaving", "true"},
    {"benchmark_list_tests", "false"},
    {"benchmark_out", ""},
    {"benchmark_format", "go"},
};

// Choices are the values of a flag for which Google Benchmark, given another
// one, prints its usage and exits with code 0.
struct Choices {
  const char* flag;
  std::set<std::string> values;
};

const std::vector<Choices>& AllChoices() {
  static const auto& all = *new std::vector<Choices>{
      {"benchmark_format", {"go", "json", "console", "csv"}},
      {"benchmark_out_format", {"json", "console", "csv"}},
      {"benchmark_time_unit", {"ns", "us", "ms", "s"}},
      {"benchmark_color", {"auto", "true", "false", "yes", "no", "1", "0"}},
  };
  return all;
}

// Value splits --flag=value and tells whether it is that flag.
bool Value(absl::string_view arg, absl::string_view flag,
           absl::string_view* value) {
  *value = arg;
  return absl::ConsumePrefix(value, "--") && absl::ConsumePrefix(value, flag) &&
         absl::ConsumePrefix(value, "=");
}

// ResolveOutFile makes --benchmark_out relative to where the user stands, which
// "bazel run" leaves before it starts the program.
void ResolveOutFile(std::string* arg) {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  absl::string_view file;
  if (directory == nullptr || !Value(*arg, "benchmark_out", &file) ||
      file.empty() || absl::StartsWith(file, "/")) {
    return;
  }
  *arg = absl::StrCat("--benchmark_out=", directory, "/", file);
}

// What is left after the checks here is the environment: BENCHMARK_FORMAT and
// the like, which Google Benchmark reads before main.
void BadEnvironment() {
  std::cerr << "A BENCHMARK_... environment variable has a bad value.\n";
  std::exit(2);
}

}  // namespace

bool Flags::TakeOwn(const std::string& arg, const std::vector<OwnFlag>& own) {
  absl::string_view value;
  for (const OwnFlag& flag : own) {
    if (!Value(arg, flag.name, &value)) continue;
    if (!flag.set(value)) {
      error_ = absl::StrCat("Bad value in ", arg, ": ", flag.expected);
    }
    return true;
  }
  return false;
}

bool Flags::Take(const std::string& arg) {
  absl::string_view value;
  for (const Choices& choices : AllChoices()) {
    if (Value(arg, choices.flag, &value) &&
        choices.values.count(std::string(value)) == 0) {
      error_ = absl::StrCat("Bad value in ", arg, ": choose one of ",
                            absl::StrJoin(choices.values, ", "), ".");
      return true;
    }
  }
  if (arg == "--help" || arg == "-h") {
    help_ = true;
    return true;
  }
  if (Value(arg, "benchmark_format", &value)) {
    format_ = std::string(value);
    return format_ == "go";
  }
  if (Value(arg, "benchmark_out", &value) && !value.empty() &&
      !std::ofstream(std::string(value), std::ios::app)) {
    error_ = absl::StrCat("Bad value in ", arg, ": cannot write this file.");
    return true;
  }
  if (Value(arg, "benchmark_repetitions", &value) &&
      (!absl::SimpleAtoi(value, &repetitions_) || repetitions_ < 1)) {
    error_ = absl::StrCat("Bad value in ", arg, ": 1 to 2147483647, please.");
    return true;
  }
  if (Value(arg, "benchmark_min_time", &value) &&
      (!absl::SimpleAtod(value, &min_time_) || !(min_time_ >= 0))) {
    error_ = absl::StrCat("Bad value in ", arg, ": seconds, please.");
    return true;
  }
  if (Value(arg, "benchmark_filter", &value)) {
    filtered_ = !value.empty() && value != "all";
  }
  list_only_ |=
      arg == "--benchmark_list_tests" || arg == "--benchmark_list_tests=true";
  return false;
}

Flags::Flags(int argc, char** argv, const std::vector<OwnFlag>& own) {
  std::vector<std::string> args;
  for (const Default& def : kDefaults) {
    const char* env = std::getenv(absl::AsciiStrToUpper(def.flag).c_str());
    args.push_back(
        absl::StrCat("--", def.flag, "=", env != nullptr ? env : def.value));
  }
  args.insert(args.end(), argv + 1, argv + argc);

  std::vector<char*> passed_on = {argv[0]};
  for (std::string& arg : args) {
    ResolveOutFile(&arg);
    if (!TakeOwn(arg, own) && !Take(arg)) passed_on.push_back(&arg[0]);
    if (help_ || !error_.empty()) return;
  }
  int left = static_cast<int>(passed_on.size());
  benchmark::Initialize(&left, passed_on.data(), BadEnvironment);
  if (left > 1) {
    error_ = absl::StrCat("Unknown flag, or bad value: ", passed_on[1]);
  }
}

std::string HelpText(const Program& program) {
  return absl::StrCat(
      program.about,
      "\n"
      "The output is in Go's benchmark format, for benchstat, and names every\n"
      "row Benchmark...: Baseline/X is BenchmarkBaseline/X there. JSON keeps\n"
      "the plain names and has every repetition beside the aggregates, of\n"
      "which \"min\" is the one to use. Progress goes to stderr.\n"
      "\n",
      program.flags_help,
      "  --benchmark_format=go|json|console|csv   default: go\n"
      "  --benchmark_filter=REGEX                 rows; starts with -: others\n"
      "  --benchmark_list_tests                   names the rows\n"
      "  --benchmark_repetitions=N                default: 1500\n"
      "  --benchmark_min_time=SECONDS             of one, default: 0.0002\n"
      "  --benchmark_enable_random_interleaving=true|false  default: true\n"
      "  --benchmark_out=FILE                     a second report, as JSON\n"
      "  --benchmark_out_format=json|console|csv\n"
      "  and Google Benchmark's others (its docs/user_guide.md).\n"
      "\n"
      "Exit code: 0, or 2 for a wrong flag.\n");
}

}  // namespace runtime
