#ifndef BENCHMARKS_FLAGS_H_
#define BENCHMARKS_FLAGS_H_

#include <string>
#include <vector>

#include "benchmarks/program.h"

namespace runtime {

// Flags is the command line: Google Benchmark's, with our defaults, the format
// "go", and complaints instead of the library's silent exit with code 0.
// Construction passes the rest on to Google Benchmark.
class Flags {
 public:
  Flags(int argc, char** argv, const std::vector<OwnFlag>& own);

  // error is one line that names the flag, or empty.
  const std::string& error() const { return error_; }
  bool help() const { return help_; }

  const std::string& format() const { return format_; }
  bool list_only() const { return list_only_; }
  bool filtered() const { return filtered_; }
  int repetitions() const { return repetitions_; }
  double min_time() const { return min_time_; }

 private:
  // TakeOwn and Take look at one argument. They return whether the argument is
  // the program's, or ours, alone.
  bool TakeOwn(const std::string& arg, const std::vector<OwnFlag>& own);
  bool Take(const std::string& arg);

  std::string error_;
  std::string format_;
  bool help_ = false;
  bool list_only_ = false;
  bool filtered_ = false;
  int repetitions_ = 0;
  double min_time_ = 0;
};

// HelpText is what --help prints.
std::string HelpText(const Program& program);

}  // namespace runtime

#endif  // BENCHMARKS_FLAGS_H_
