// What a reading of the clock costs, beside the raw vDSO call: see --help.

#include "benchmarks/run.h"

int main(int argc, char** argv) { return runtime::RunBenchmarks(argc, argv); }
