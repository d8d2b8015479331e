#ifndef BENCHMARKS_TIME_PROGRAM_H_
#define BENCHMARKS_TIME_PROGRAM_H_

#include "benchmarks/program.h"

namespace runtime {

// TimeProgram is //benchmarks:time.
Program TimeProgram();

}  // namespace runtime

#endif  // BENCHMARKS_TIME_PROGRAM_H_
