// The ABI checker's struct, shared by C++ and the trampolines in
// abi_check_linux_<arch>.S.

#ifndef TESTS_ABI_CHECK_H_
#define TESTS_ABI_CHECK_H_

// How many words of callee-saved state each arch's trampoline fills and reads
// back: the general registers in the order of the .S, then d8-d15 on the arms.
#if defined(__x86_64__)
#define ABI_SAVED_WORDS 6
#elif defined(__i386__)
#define ABI_SAVED_WORDS 4
#elif defined(__aarch64__)
#define ABI_SAVED_WORDS 19
#elif defined(__arm__)
#define ABI_SAVED_WORDS 24
#endif

#ifdef __LP64__
#define ABI_WORD 8
#else
#define ABI_WORD 4
#endif

// Offsets in AbiCall.
#define call_fn 0
#define call_args (1 * ABI_WORD)    // three
#define call_result (4 * ABI_WORD)  // two
#define call_sp_before (6 * ABI_WORD)
#define call_sp_after (7 * ABI_WORD)
#define call_flags (8 * ABI_WORD)
#define call_saved_before (9 * ABI_WORD)
#define call_saved_after ((9 + ABI_SAVED_WORDS) * ABI_WORD)

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#include "runtime/sys/sys.h"

// AbiCall is one call under check.
struct AbiCall {
  uintptr_t fn;
  uintptr_t args[3];
  uintptr_t result[2];
  uintptr_t sp_before;  // just before the call, arguments in place
  uintptr_t sp_after;
  uintptr_t flags;  // x86: the flags register after the call
  uintptr_t saved_before[ABI_SAVED_WORDS];
  uintptr_t saved_after[ABI_SAVED_WORDS];
};
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): small
static_assert(offsetof(AbiCall, args) == call_args);
static_assert(offsetof(AbiCall, result) == call_result);
static_assert(offsetof(AbiCall, sp_before) == call_sp_before);
static_assert(offsetof(AbiCall, sp_after) == call_sp_after);
static_assert(offsetof(AbiCall, flags) == call_flags);
static_assert(offsetof(AbiCall, saved_before) == call_saved_before);
static_assert(offsetof(AbiCall, saved_after) == call_saved_after);
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)

#pragma GCC visibility push(hidden)
extern "C" {

// abi_call calls call->fn with the callee-saved registers as in saved_before
// and fills the results in. It survives a function that breaks any of them.
void abi_call(AbiCall* call);

// abi_probe_route is a route that notes the stack pointer that it is entered
// with and the flags, then overwrites every register that a callee may
// overwrite. It reads abi_probe_time.
int abi_probe_route(int32_t clockid, runtime::KernelTimespec* ts);
extern runtime::KernelTimespec abi_probe_time;
extern uintptr_t abi_probe_sp;
extern uintptr_t abi_probe_flags;

// Functions that the checker must find fault with.
void abi_bad_saved_first(void);  // overwrites the first callee-saved register
void abi_bad_saved_last(void);   // ... and the last
void abi_bad_sp(void);           // returns with the stack pointer one slot off
#if defined(__x86_64__) || defined(__i386__)
void abi_bad_flags(void);  // returns with the direction flag set
#endif

}  // extern "C"
#pragma GCC visibility pop

#endif  // __ASSEMBLER__

#endif  // TESTS_ABI_CHECK_H_
