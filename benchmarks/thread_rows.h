#ifndef BENCHMARKS_THREAD_ROWS_H_
#define BENCHMARKS_THREAD_ROWS_H_

#include <vector>

#include "benchmarks/row.h"

namespace runtime {

// ThreadRows are rows in which a second thread, on another CPU, reads the same
// clock at the same time: what a reading costs each of them. None, where this
// process may use one CPU only. Call it before the process is pinned to one.
std::vector<Row> ThreadRows();

}  // namespace runtime

#endif  // BENCHMARKS_THREAD_ROWS_H_
