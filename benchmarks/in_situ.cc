// What a reading of the clock adds to a loop that loads from memory: see
// --help.

#include "benchmarks/in_situ_program.h"
#include "benchmarks/run.h"

int main(int argc, char** argv) {
  return runtime::RunBenchmarks(runtime::InSituProgram(), argc, argv);
}
