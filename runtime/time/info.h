// Asking and telling how clocks are read: for tools, sandboxes and tests.
// C11, as time.h.
//
// All functions here are
//
//   Threads: safe from any thread, and beside readings.
//   Signals: not from a handler.
//   Stack:   under 2 KiB.

#ifndef RUNTIME_TIME_INFO_H_
#define RUNTIME_TIME_INFO_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// RUNTIME_ROUTE_* name the kinds of routes, and what runtime_forceRoute takes.
#define RUNTIME_ROUTE_AUTO 0  // the vDSO if it can be trusted, else the syscall
#define RUNTIME_ROUTE_VDSO 1  // no system call of ours: the vDSO's or an error
#define RUNTIME_ROUTE_SYSCALL 2  // never the vDSO's clocks

// RUNTIME_VERIFY_* are what came of holding a route against the syscall.
#define RUNTIME_VERIFY_NONE \
  0                              // it was not: a filter may forbid the syscall,
                                 // the route was forced, or is the syscall
#define RUNTIME_VERIFY_HELD 1    // all its times lay between two of the syscall
#define RUNTIME_VERIFY_LIED 2    // one did not, or time went backwards
#define RUNTIME_VERIFY_FAILED 3  // it returned errors, or wrote nothing
#define RUNTIME_VERIFY_FORBIDDEN \
  4  // it could fault: PR_SET_TSC, prctl(2),
     // or a sandbox that hides that

// RUNTIME_HASH_* are the hash tables through which symbols are looked up.
#define RUNTIME_HASH_NONE 0
#define RUNTIME_HASH_SYSV 1
#define RUNTIME_HASH_GNU 2

// RUNTIME_MAX_ROUTES: vDSO and syscall, each with 64-bit and 32-bit times.
#define RUNTIME_MAX_ROUTES 4

// RUNTIME_STATE_* are what becomes of a route.
#define RUNTIME_STATE_UNUSED 0   // not in the order: forced away, or rejected
#define RUNTIME_STATE_NEXT 1     // in reserve
#define RUNTIME_STATE_IN_USE 2   // reads
#define RUNTIME_STATE_DEMOTED 3  // kept failing until another took its place

// RUNTIME_PAIR_* are the ways in which runtime_now reads two clocks; see
// pair.h.
#define RUNTIME_PAIR_TWICE 0      // one after the other
#define RUNTIME_PAIR_BRACKETED 1  // of one instant, between two coarse readings
#define RUNTIME_PAIR_HELD \
  2  // the same, and a thread holds on to the
     // difference of the clocks until the next tick

// runtime_RouteInfo describes one route.
typedef struct runtime_RouteInfo {
  int kind;             // RUNTIME_ROUTE_VDSO or RUNTIME_ROUTE_SYSCALL
  const char* symbol;   // the vDSO's function, or the system call
  const char* version;  // of the symbol; NULL for a system call
  uintptr_t address;    // of the function; 0 for a system call
  int verification;     // RUNTIME_VERIFY_*
  int state;            // RUNTIME_STATE_*
  uint32_t failures;    // readings since the last initialisation
} runtime_RouteInfo;

// runtime_TimeInfo describes how this process reads clocks. Addresses are those
// of the vDSO that was found last; 0 when there is none.
typedef struct runtime_TimeInfo {
  int forced;      // what runtime_forceRoute was given last: RUNTIME_ROUTE_*
  int hash_table;  // RUNTIME_HASH_*
  uintptr_t load_start;  // the vDSO in memory
  uintptr_t load_end;
  uintptr_t text_start;  // its code
  uintptr_t text_end;
  uint32_t demotions;  // routes given up while reading, since the process began
  uint32_t rejections;  // routes that initialisation refused, likewise
  int pairing;          // RUNTIME_PAIR_*
  int sealed;       // 1: a stray write to the routes faults; see seal_page.h
  int route_count;  // 0 before the first initialisation
  runtime_RouteInfo routes[RUNTIME_MAX_ROUTES];  // best first
} runtime_TimeInfo;

// runtime_timeInfo fills *info.
// Errors: -EBUSY, and *info unchanged, when another thread takes longer than a
// second to initialise (or waiting is forbidden), or this one was interrupted
// in it.
int runtime_timeInfo(runtime_TimeInfo* info);

// runtime_forceRoute restricts all later readings to one kind of route, also
// after a new initialisation (one that finds no vDSO reads by the syscall all
// the same); RUNTIME_ROUTE_AUTO lifts that. A forced vDSO is not verified. In a
// hosted program the environment variable RUNTIME_TIME_ROUTE=auto|vdso|syscall
// does the same before main, unless the program runs with privileges of its
// file (AT_SECURE, getauxval(3)). Errors: -EINVAL when route is not one of the
// three; -ENOENT when there is no vDSO to force, none has been looked for yet,
// or it would fault (PR_SET_TSC); -EBUSY as runtime_timeInfo, or when the
// routes could not be written (mprotect is forbidden, or out of memory). All is
// then as it was.
int runtime_forceRoute(int route);

// runtime_timeVerify holds the vDSO against the syscall once more, also under a
// seccomp filter, where initialisation does not dare to: for a process that
// knows that its filter lets the clock syscalls through.
// Returns as runtime_timeInit does.
int runtime_timeVerify(void);

// runtime_Syscall is a system call that this component may make.
typedef struct runtime_Syscall {
  int number;
  const char* name;
  const char* purpose;
} runtime_Syscall;

// runtime_timeSyscalls returns the list of them, for those who write seccomp
// filters, and stores its length in *count. The vDSO's own are among them. A
// filter may answer each with an error (SECCOMP_RET_ERRNO); one of the clock
// calls must work where the vDSO does not.
const runtime_Syscall* runtime_timeSyscalls(size_t* count);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RUNTIME_TIME_INFO_H_
