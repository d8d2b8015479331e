#ifndef EXAMPLES_FIBER_CLOCK_H_
#define EXAMPLES_FIBER_CLOCK_H_

#include <stdint.h>

namespace fibers {

// Clock is what switches are stamped with, called on a fiber's own stack.
// Units: nanoseconds. runtime_nanotime is one, and those below are for
// comparison: what they call runs on the fiber's stack, vDSO and all.
using Clock = int64_t (*)();

int64_t LibcNanotime();

// ProbingLibcNanotime is LibcNanotime on a kernel whose vDSO was built with
// -fstack-check: it touches a page below its frame (golang/go#20427).
int64_t ProbingLibcNanotime();

// UseProbingVdso gives nanotime such a vDSO.
void UseProbingVdso();

}  // namespace fibers

#endif  // EXAMPLES_FIBER_CLOCK_H_
