// What the kernel says about this process that decides how to read a clock.

#ifndef RUNTIME_SYS_PROCESS_H_
#define RUNTIME_SYS_PROCESS_H_

namespace runtime {

// SyscallsAreFiltered tells whether a seccomp filter, which may end the process
// for a system call, stands over this thread.
bool SyscallsAreFiltered();

// CounterIsForbidden tells whether reading the CPU's counter, as the vDSO does,
// raises SIGSEGV (prctl(2), PR_SET_TSC).
bool CounterIsForbidden();

}  // namespace runtime

#endif  // RUNTIME_SYS_PROCESS_H_
