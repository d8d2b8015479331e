// What a reading of the clock costs, beside the raw vDSO call: see --help.

#include "benchmarks/run.h"
#include "benchmarks/time_program.h"

int main(int argc, char** argv) {
  return runtime::RunBenchmarks(runtime::TimeProgram(), argc, argv);
}
