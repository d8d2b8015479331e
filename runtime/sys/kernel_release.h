// Whether this kernel has the system calls with 64-bit times (386, arm).

#ifndef RUNTIME_SYS_KERNEL_RELEASE_H_
#define RUNTIME_SYS_KERNEL_RELEASE_H_

namespace runtime {

enum class HasTime64 { kNo, kUnknown, kYes };

// ReleaseHasTime64 judges a kernel's release, as uname(2) gives it: Linux 5.1
// brought clock_gettime64. Before it the number may mean anything: vendors have
// used it for calls of their own, and sandboxes kill for it (golang/go#77930,
// #77621).
HasTime64 ReleaseHasTime64(const char* release);

// KernelHasTime64 judges the running kernel. Signals: async-signal-safe.
// Stack: under 512 bytes.
HasTime64 KernelHasTime64();

}  // namespace runtime

#endif  // RUNTIME_SYS_KERNEL_RELEASE_H_
