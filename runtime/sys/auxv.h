// The auxiliary vector: what the kernel tells a new process (getauxval(3)).

#ifndef RUNTIME_SYS_AUXV_H_
#define RUNTIME_SYS_AUXV_H_

#include <stddef.h>
#include <stdint.h>

namespace runtime {

// AuxvEntry is one pair of the vector, in the process's native word size.
struct AuxvEntry {
  uintptr_t type;
  uintptr_t value;
};

// kMaxAuxvEntries bounds every walk. The kernel's AT_VECTOR_SIZE is about 50
// pairs on any arch (include/linux/auxvec.h).
inline constexpr size_t kMaxAuxvEntries = 128;

// AuxvFromStack returns the vector behind argc, argv and envp on the stack that
// a process starts with, or nullptr when it is not where it should be.
// stack: the stack pointer at the process's entry; may be nullptr.
const AuxvEntry* AuxvFromStack(const void* stack);

// ReadProcAuxv fills entries, which holds kMaxAuxvEntries, from /proc/self/auxv
// and ends it with AT_NULL.
// Errors: false, and an empty vector, when the file cannot be read.
// Signals: async-signal-safe. Stack: under 128 bytes, plus the caller's array.
bool ReadProcAuxv(AuxvEntry* entries);

// AuxvValue returns the value of the first entry of this type, or 0. Nothing is
// touched before it is known to be readable. Nothing is
// touched before it is known to be readable.
uintptr_t AuxvValue(const AuxvEntry* auxv, uintptr_t type);

}  // namespace runtime

#endif  // RUNTIME_SYS_AUXV_H_
