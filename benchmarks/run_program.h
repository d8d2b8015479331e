// A whole benchmark program in this process, for tests: under an emulator there
// is no other way.

#ifndef BENCHMARKS_RUN_PROGRAM_H_
#define BENCHMARKS_RUN_PROGRAM_H_

#include <string>
#include <vector>

#include "benchmarks/program.h"

namespace runtime {

struct Result {
  int exit_code;
  std::string out;
  std::string err;
};

// RunProgram runs it with these arguments; quickly: with two repetitions too
// short for a figure to mean anything.
Result RunProgram(const Program& program, std::vector<std::string> args,
                  bool quickly = false);

}  // namespace runtime

#endif  // BENCHMARKS_RUN_PROGRAM_H_
