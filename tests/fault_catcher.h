// Running a function that may fault, and telling whether it did.

#ifndef TESTS_FAULT_CATCHER_H_
#define TESTS_FAULT_CATCHER_H_

#include <setjmp.h>
#include <signal.h>

namespace runtime {

inline sigjmp_buf fault_jump;

// Faults calls fn and returns whether it died of a bad access or a division by
// zero. fn is left by siglongjmp then: it must hold nothing that needs a
// destructor. Threads: one at a time.
template <typename Fn>
bool Faults(const Fn& fn) {
  constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE};
  struct sigaction old[3];
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(fault_jump, 1); };
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &action, &old[i]);
  volatile bool faulted = true;
  if (sigsetjmp(fault_jump, 1) == 0) {
    fn();
    faulted = false;
  }
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &old[i], nullptr);
  return faulted;
}

}  // namespace runtime

#endif  // TESTS_FAULT_CATCHER_H_
