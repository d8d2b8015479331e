// What the kernel says about this process that decides how to read a clock.

#ifndef RUNTIME_SYS_PROCESS_H_
#define RUNTIME_SYS_PROCESS_H_

namespace runtime {

// Process is that. Unknown stands for a sandbox that answers in the kernel's
// place, or not at all.
struct Process {
  // A seccomp filter, which may end the process for a system call, stands over
  // this thread. Unknown means yes.
  bool filtered;

  // Whether this thread may read the CPU's counter, as the vDSO does, or gets
  // SIGSEGV for it (prctl(2), PR_SET_TSC).
  enum class Counter { kAllowed, kForbidden, kUnknown } counter;
};

Process AskProcess();

}  // namespace runtime

#endif  // RUNTIME_SYS_PROCESS_H_
