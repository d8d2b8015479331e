#ifndef RUNTIME_TIME_M_H_
#define RUNTIME_TIME_M_H_

#include <stddef.h>

#include "runtime/time/time.h"

namespace runtime {

// kVdsoStackUnused is left free at the top of a vDSO stack. Units: bytes.
// Stacks end where pages do, and processors take accesses at the same place in
// different pages for the same at first: the kernel's own stack is one that
// ends there, and a system call that writes to the last 48 bytes took half as
// long again on a Xeon.
inline constexpr size_t kVdsoStackUnused = 256;

}  // namespace runtime

extern "C" {

// runtime_tlsM is the calling thread's M. Initial-exec: the entry points load
// it without a call, at the price of its size in static TLS in a library that
// is opened with dlopen. And not behind a pointer, whose load would come on
// top.
extern __thread runtime_M runtime_tlsM
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

}  // extern "C"

#endif  // RUNTIME_TIME_M_H_
