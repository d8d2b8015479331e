#ifndef BENCHMARKS_IN_SITU_ROWS_H_
#define BENCHMARKS_IN_SITU_ROWS_H_

#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/program.h"

namespace runtime {

struct SetSize {
  std::string name;  // "32KiB"
  uint64_t bytes = 0;
};

// RegisterInSituRows is the register_rows of //benchmarks:in_situ. The memory
// of a set is allocated when a row of it is measured.
Rows RegisterInSituRows(const std::vector<SetSize>& sizes, double min_time,
                        const std::function<void()>& before_each);

}  // namespace runtime

#endif  // BENCHMARKS_IN_SITU_ROWS_H_
