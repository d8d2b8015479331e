#ifndef RUNTIME_TIME_M_H_
#define RUNTIME_TIME_M_H_

#include "runtime/time/time.h"

extern "C" {

// runtime_tlsM is the calling thread's M. Initial-exec: the entry points load
// it without a call, at the price of its size in static TLS in a library that
// is opened with dlopen. And not behind a pointer, whose load would come on
// top.
extern __thread runtime_M runtime_tlsM
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

}  // extern "C"

#endif  // RUNTIME_TIME_M_H_
