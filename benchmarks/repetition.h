// How long one repetition of a row is, and which of them counts.

#ifndef BENCHMARKS_REPETITION_H_
#define BENCHMARKS_REPETITION_H_

#include <stddef.h>

#include <functional>
#include <vector>

namespace runtime {

// FillingTime returns how many turns of a batch's loop fill the time, and a
// little more, so that a repetition hardly ever falls short of it. Google
// Benchmark's own search for the number ends at 1 when the thread loses its CPU
// for longer than a few repetitions.
size_t FillingTime(double seconds, const std::function<void(size_t n)>& batch);

// Min is the statistic of all rows.
double Min(const std::vector<double>& values);

}  // namespace runtime

#endif  // BENCHMARKS_REPETITION_H_
