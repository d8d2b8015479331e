// A row of //benchmarks:time, and the loop that all rows share.

#ifndef BENCHMARKS_ROW_H_
#define BENCHMARKS_ROW_H_

#include <stddef.h>

#include <string>

#include "benchmarks/keep.h"

namespace runtime {

inline void Nothing() {}

struct Row {
  std::string name;
  void (*batch)(size_t n);  // n readings
  void (*prepare)() = Nothing;
  void (*finish)() = Nothing;
  bool small_stack = false;
  size_t readings = 0;  // in a repetition; 0: not known yet
};

template <typename Reading>
[[gnu::always_inline]] inline void Repeat(size_t n, Reading reading) {
  for (; n != 0; --n) Keep(reading());
}

}  // namespace runtime

#endif  // BENCHMARKS_ROW_H_
