#ifndef BENCHMARKS_IN_SITU_PROGRAM_H_
#define BENCHMARKS_IN_SITU_PROGRAM_H_

#include "benchmarks/program.h"

namespace runtime {

// InSituProgram is //benchmarks:in_situ.
Program InSituProgram();

}  // namespace runtime

#endif  // BENCHMARKS_IN_SITU_PROGRAM_H_
