// Counting the instructions that a function executes, one by one.

#ifndef TESTS_STEP_COUNTER_H_
#define TESTS_STEP_COUNTER_H_

#include <stdint.h>

#include <functional>

namespace runtime {

// CountSteps runs fn in a child process, instruction by instruction, and
// returns how many it took, as the processor counts them: one for each turn of
// a repeated string instruction, one for a system call. The difference of two
// counts is exact; a single one includes what leads to fn and away from it, a
// few hundred. Gives up after limit.
// Errors: -1 where single steps are not to be had; -2 if the child died.
int64_t CountSteps(const std::function<void()>& fn, int64_t limit);

}  // namespace runtime

#endif  // TESTS_STEP_COUNTER_H_
