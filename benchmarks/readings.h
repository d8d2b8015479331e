#ifndef BENCHMARKS_READINGS_H_
#define BENCHMARKS_READINGS_H_

#include <functional>

#include "benchmarks/program.h"

namespace runtime {

// RegisterRows is the register_rows of //benchmarks:time.
Rows RegisterRows(double min_time, const std::function<void()>& before_each);

}  // namespace runtime

#endif  // BENCHMARKS_READINGS_H_
