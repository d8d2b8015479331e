// Whether memory can be read or written, found out without touching it.

#ifndef RUNTIME_SYS_READABLE_H_
#define RUNTIME_SYS_READABLE_H_

#include <stdint.h>

namespace runtime {

// IsReadable tells whether every byte of [start, end) can be read.
// Errors: false also when the kernel will not say (a sandbox's filter).
// Signals: async-signal-safe. Costs one system call, rt_sigprocmask, and one
// more per 4 KiB.
bool IsReadable(uintptr_t start, uintptr_t end);

// IsWritable tells whether the 8 bytes at address can be written, by having the
// kernel write to them. Errors and Signals: as IsReadable.
bool IsWritable(void* address);

}  // namespace runtime

#endif  // RUNTIME_SYS_READABLE_H_
