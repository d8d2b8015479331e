// The kernel boundary: raw traps, in assembly (sys_linux_<arch>.S).
//
// Threads: safe from any thread. Signals: async-signal-safe; errno is neither
// read nor written. Stack: at most 32 bytes. Errors: a negative errno is
// returned.

#ifndef RUNTIME_SYS_SYS_H_
#define RUNTIME_SYS_SYS_H_

#include <stdint.h>

namespace runtime {

// KernelTimespec is struct __kernel_timespec of <linux/time_types.h>: what
// clock_gettime writes on 64-bit arches and clock_gettime64 on 32-bit ones.
struct KernelTimespec {
  int64_t sec;
  int64_t nsec;
};

// OldTimespec is struct old_timespec32 of <linux/time32.h>: what clock_gettime
// writes on 386 and arm. The kernel calls sec signed; it is unsigned here
// because no kernel clock can be set before its origin, so the 32 bits reach to
// 2106.
struct OldTimespec {
  uint32_t sec;
  int32_t nsec;
};

// Hidden declarations are reached without the global offset table.
#pragma GCC visibility push(hidden)
extern "C" {

// runtime_syscall traps into system call number with up to four arguments.
intptr_t runtime_syscall(intptr_t number, intptr_t arg0, intptr_t arg1,
                         intptr_t arg2, intptr_t arg3);

#ifdef __LP64__

// runtime_sysClockGettime traps into clock_gettime.
int runtime_sysClockGettime(int32_t clockid, KernelTimespec* ts);

#else

// runtime_sysClockGettime64 traps into clock_gettime64 (Linux 5.1 and later).
int runtime_sysClockGettime64(int32_t clockid, KernelTimespec* ts);

// runtime_sysClockGettime traps into clock_gettime, which many later kernels
// still have.
int runtime_sysClockGettime(int32_t clockid, OldTimespec* ts);

#endif

#ifdef __i386__

// runtime_sysInt80 is what runtime_sysVsyscall holds until the vDSO is found:
// int $0x80 with the registers as the caller set them.
void runtime_sysInt80(void);

// runtime_int80Syscall is runtime_syscall by int $0x80 in any case.
intptr_t runtime_int80Syscall(intptr_t number, intptr_t arg0, intptr_t arg1,
                              intptr_t arg2, intptr_t arg3);

// runtime_sysVsyscall is the instruction sequence that the traps call to enter
// the kernel: __kernel_vsyscall once the vDSO is found, at a tenth of the cost.
// It begins a page of its own; see vsyscall.h.
extern uintptr_t runtime_sysVsyscall;

#endif

}  // extern "C"
#pragma GCC visibility pop

// PlainSyscall is runtime_syscall for the time when the vDSO that it may call
// could have moved away.
inline intptr_t PlainSyscall(intptr_t number, intptr_t arg0, intptr_t arg1,
                             intptr_t arg2, intptr_t arg3) {
#ifdef __i386__
  return runtime_int80Syscall(number, arg0, arg1, arg2, arg3);
#else
  return runtime_syscall(number, arg0, arg1, arg2, arg3);
#endif
}

}  // namespace runtime

#endif  // RUNTIME_SYS_SYS_H_
