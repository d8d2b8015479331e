#ifndef RUNTIME_TIME_FATAL_H_
#define RUNTIME_TIME_FATAL_H_

#include <stdint.h>

namespace runtime {

// Fatal tells the fatal hook that no route can read the clock, and does not
// return. error: a negative errno, the last route's.
// Signals: async-signal-safe. Stack: under 256 bytes beside the hook's own.
[[noreturn]] void Fatal(int32_t clockid, int error);

}  // namespace runtime

#endif  // RUNTIME_TIME_FATAL_H_
