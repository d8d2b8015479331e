#ifndef EXAMPLES_FIBER_WORK_H_
#define EXAMPLES_FIBER_WORK_H_

#include "examples/fiber/fiber.h"

namespace fibers {

// Work is what a fiber does: slices of work, most of them short, with a yield
// after each; and now and then one so long that it must be asked to yield. It
// looks whether its stack is as it left it.
void Work(Fiber* self, int slices);

}  // namespace fibers

#endif  // EXAMPLES_FIBER_WORK_H_
