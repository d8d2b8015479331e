#ifndef BENCHMARKS_KEEP_H_
#define BENCHMARKS_KEEP_H_

#include <stdint.h>

#include "benchmark/benchmark.h"

namespace runtime {

// Keep is DoNotOptimize, which would store a 64-bit result to memory where
// registers have 32 bits.
template <typename T>
[[gnu::always_inline]] inline void Keep(const T& result) {
  benchmark::DoNotOptimize(result);
}
#ifndef __LP64__
[[gnu::always_inline]] inline void Keep(int64_t result) {
  benchmark::DoNotOptimize(static_cast<uint32_t>(result));
  benchmark::DoNotOptimize(static_cast<uint32_t>(result >> 32));
}
#endif

}  // namespace runtime

#endif  // BENCHMARKS_KEEP_H_
