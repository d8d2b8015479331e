#ifndef BENCHMARKS_RUN_H_
#define BENCHMARKS_RUN_H_

namespace runtime {

// RunBenchmarks is the program //benchmarks:time. It returns the exit code: 0,
// or 2 after a message about the command line. argv[argc] is not used.
int RunBenchmarks(int argc, char** argv);

}  // namespace runtime

#endif  // BENCHMARKS_RUN_H_
