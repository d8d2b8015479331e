#ifndef BENCHMARKS_CLOCK_ROWS_H_
#define BENCHMARKS_CLOCK_ROWS_H_

#include <vector>

#include "benchmarks/row.h"
#include "runtime/time/route.h"

namespace runtime {

// ClockRows are a row for each clock, ours and, given a vDSO, the raw call
// beside it; and the table of the proposal that was clock_gettime_ns (Linux
// mailing list, December 2011): a struct in memory against nanoseconds in
// registers.
std::vector<Row> ClockRows(Route raw_vdso);

}  // namespace runtime

#endif  // BENCHMARKS_CLOCK_ROWS_H_
