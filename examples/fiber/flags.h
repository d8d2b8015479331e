#ifndef EXAMPLES_FIBER_FLAGS_H_
#define EXAMPLES_FIBER_FLAGS_H_

#include <string>

#include "examples/fiber/scheduler.h"

namespace fibers {

struct Flags {
  Options options;
  int yields;
  bool probe;
  bool libc;
};

// ParseFlags does not return when a flag is wrong (exit code 2) nor after
// --help (0).
Flags ParseFlags(int argc, char** argv);

}  // namespace fibers

#endif  // EXAMPLES_FIBER_FLAGS_H_
