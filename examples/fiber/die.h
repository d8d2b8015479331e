#ifndef EXAMPLES_FIBER_DIE_H_
#define EXAMPLES_FIBER_DIE_H_

#include <cstdio>
#include <cstdlib>

namespace fibers {

// Exit codes of the program, besides 0.
constexpr int kExitFailed = 1;    // what ran did not add up, or could not run
constexpr int kExitOverflow = 3;  // a fiber ran into its guard page

// Die ends the program and says what errno is about. Threads: any; the others
// run on meanwhile, so nothing is torn down.
[[noreturn]] inline void Die(const char* what) {
  std::perror(what);
  std::_Exit(kExitFailed);
}

}  // namespace fibers

#endif  // EXAMPLES_FIBER_DIE_H_
