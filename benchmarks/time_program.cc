#include "benchmarks/time_program.h"

#include "benchmarks/readings.h"

namespace runtime {

Program TimeProgram() {
  Program program;
  program.about =
      "What a reading of the clock costs, beside the raw vDSO call.\n"
      "\n"
      "usage: time [flags]\n"
      "\n"
      "All rows run the same loop. Their repetitions are interleaved at\n"
      "random, on one CPU; the minimum counts. The last column is the ratio\n"
      "to Baseline/RawVDSO/MONOTONIC of the same run, a call through the\n"
      "resolved pointer that converts nothing (x-vdso); without a vDSO, to\n"
      "Baseline/RawSyscall/MONOTONIC (x-syscall). .../smallstack: called on\n"
      "a 4 KiB stack by an attached thread, so that each reading switches\n"
      "stacks.\n";
  program.register_rows = RegisterRows;
  return program;
}

}  // namespace runtime
