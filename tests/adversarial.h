// Routes that do the worst that a vDSO function may, shared by C++ and
// adversarial_linux_<arch>.S.

#ifndef TESTS_ADVERSARIAL_H_
#define TESTS_ADVERSARIAL_H_

#define ADVERSARIAL_SIGNAL 10   // SIGUSR1
#define ADVERSARIAL_CHANGED 84  // EILSEQ

// What the registers hold; a sign-extended 32-bit number.
#ifdef __LP64__
#define ADVERSARIAL_GARBAGE 0x5a5a5a5b
#else
#define ADVERSARIAL_GARBAGE 0xa5a5a5a5
#endif

// Bits of adversarial_features.
#define ADVERSARIAL_SSE 1
#define ADVERSARIAL_AVX 2
#define ADVERSARIAL_AVX512 4
#define ADVERSARIAL_NEON 8

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "runtime/sys/sys.h"

#pragma GCC visibility push(hidden)
extern "C" {

// adversarial_vectors_route overwrites every register that a callee may
// overwrite, vector registers to the width that adversarial_features names.
int adversarial_vectors_route(int32_t clockid, runtime::KernelTimespec* ts);

// adversarial_signal_route overwrites every register that a callee has to
// preserve, sends ADVERSARIAL_SIGNAL to thread adversarial_thread of
// adversarial_process, and restores them. Returns -EILSEQ if they have changed
// meanwhile.
int adversarial_signal_route(int32_t clockid, runtime::KernelTimespec* ts);

// adversarial_forgetful_route must be found out: it changes the third of the
// callee-saved words of an AbiCall.
int adversarial_forgetful_route(int32_t clockid, runtime::KernelTimespec* ts);

// These must be found out, too: they call abi_probe_route on a stack that is
// not aligned, and with the direction flag set.
void adversarial_misaligned_call(runtime::KernelTimespec* ts);
#if defined(__x86_64__) || defined(__i386__)
void adversarial_direction_call(runtime::KernelTimespec* ts);
#endif

extern int32_t adversarial_features;
extern int32_t adversarial_process;
extern int32_t adversarial_thread;

}  // extern "C"
#pragma GCC visibility pop

#endif  // __ASSEMBLER__

#endif  // TESTS_ADVERSARIAL_H_
