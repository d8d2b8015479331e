// What distinguishes one benchmark program from another.

#ifndef BENCHMARKS_PROGRAM_H_
#define BENCHMARKS_PROGRAM_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmarks/go_reporter.h"

namespace runtime {

// Rows is what a program found to measure on this machine.
struct Rows {
  int count = 0;
  std::vector<std::string> left_out;  // a line for each row, with the reason
  std::vector<GoReporter::Scale> scales;
};

// OwnFlag is a flag that only one program has.
struct OwnFlag {
  std::string name;
  std::string expected;  // for the complaint: "seconds, please."
  std::function<bool(absl::string_view value)> set;  // false: a bad value
};

struct Program {
  std::string about;       // --help: what it measures, and its usage
  std::string flags_help;  // --help: a line for each of its flags
  std::vector<OwnFlag> flags;

  // register_rows registers all rows with Google Benchmark. min_time is its
  // flag, in seconds. before_each is called before each measurement, outside of
  // it.
  std::function<Rows(double min_time, const std::function<void()>& before_each)>
      register_rows;
};

}  // namespace runtime

#endif  // BENCHMARKS_PROGRAM_H_
