#ifndef BENCHMARKS_READINGS_H_
#define BENCHMARKS_READINGS_H_

#include <functional>
#include <string>
#include <vector>

namespace runtime {

// Rows is what RegisterRows found to measure on this machine.
struct Rows {
  int count = 0;
  std::vector<std::string> left_out;  // a line for each row, with the reason
  std::string baseline;               // the row that ratios refer to
  std::string ratio_unit;
};

// RegisterRows registers all rows with Google Benchmark. min_time is its flag,
// in seconds. before_each is called before each measurement, outside of it.
Rows RegisterRows(double min_time, const std::function<void()>& before_each);

}  // namespace runtime

#endif  // BENCHMARKS_READINGS_H_
