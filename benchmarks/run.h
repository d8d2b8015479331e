#ifndef BENCHMARKS_RUN_H_
#define BENCHMARKS_RUN_H_

#include "benchmarks/program.h"

namespace runtime {

// RunBenchmarks is the whole of a benchmark program. It returns the exit code:
// 0, or 2 after a message about the command line. argv[argc] is not used.
int RunBenchmarks(const Program& program, int argc, char** argv);

}  // namespace runtime

#endif  // BENCHMARKS_RUN_H_
