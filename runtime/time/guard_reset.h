#ifndef RUNTIME_TIME_GUARD_RESET_H_
#define RUNTIME_TIME_GUARD_RESET_H_

namespace runtime {

// ResetGuard makes runtime_nanotimeGuarded forget what it has returned: for
// tests, where another clock takes the place of the machine's. It keeps its
// count.
void ResetGuard();

}  // namespace runtime

#endif  // RUNTIME_TIME_GUARD_RESET_H_
