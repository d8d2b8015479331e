// The way into the kernel on 386; there is nothing to it on the other arches.

#ifndef RUNTIME_SYS_VSYSCALL_H_
#define RUNTIME_SYS_VSYSCALL_H_

#include <stdint.h>

namespace runtime {

#ifdef __i386__

// OpenVsyscall lets StoreVsyscall write, and has the traps use int $0x80: what
// they used so far may be there no longer. Threads: one at a time.
// Errors: false, and nothing changed.
bool OpenVsyscall();

// StoreVsyscall makes the traps call address, __kernel_vsyscall of a vDSO, if a
// system call through it says what int $0x80 says. 0: int $0x80.
void StoreVsyscall(uintptr_t address);

// CloseVsyscall undoes OpenVsyscall's leave to write.
void CloseVsyscall();

#else

inline bool OpenVsyscall() { return true; }
inline void StoreVsyscall(uintptr_t) {}
inline void CloseVsyscall() {}

#endif

}  // namespace runtime

#endif  // RUNTIME_SYS_VSYSCALL_H_
