// The public interface of nanotime: C11, usable from C, C++, Rust and Zig.
//
// All readings come from the kernel's own clocks, through the vDSO where there
// is one and through the syscall where there is none:
//
//   runtime_nanotime   CLOCK_MONOTONIC. Origin: some time before boot ended.
//                      Never steps; stands still while the machine is
//                      suspended.
//   runtime_walltime   CLOCK_REALTIME. Origin: 1970-01-01 00:00 UTC, without
//                      leap seconds. Steps whenever somebody sets the clock.
//   runtime_now        both, of the same instant where the kernel's coarse
//                      clocks allow it; else one after the other
//                      (runtime_timeInfo in info.h tells).
//
// Source: clock_gettime(2). Unless a function says otherwise, all of them are
//
//   Threads: safe from any thread, no lock, no write to shared memory.
//   Signals: async-signal-safe, also in a handler that interrupted a reading.
//   Stack:   at most RUNTIME_READING_STACK bytes of the caller's stack when the
//            thread is attached (runtime_attach). When it is not, and in a
//            handler that interrupted a reading or runs on the alternate signal
//            stack, that and what the vDSO needs: 104 bytes at most on the
//            kernels measured.
//   Order:   not ordered with the instructions around the call, except that two
//            readings in one thread are ordered with each other.

#ifndef RUNTIME_TIME_TIME_H_
#define RUNTIME_TIME_TIME_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// RUNTIME_VDSO_STACK_MIN is the smallest stack that runtime_attach takes.
// Units: bytes. Two 4 KiB pages: kernels built with stack probes touch a whole
// page below the frame of the vDSO function (golang/go#20427). It is enough
// where all signal handlers run on a stack of their own (SA_ONSTACK,
// sigaltstack(2)). A handler that does not runs on this one when it interrupts
// a reading: add getauxval(AT_MINSIGSTKSZ), which may exceed 11 KiB, and what
// the handler needs.
#define RUNTIME_VDSO_STACK_MIN 8192

// RUNTIME_VDSO_STACK_DEFAULT is what runtime_attachAlloc takes for 0. Units:
// bytes. Room for a handler that interrupts a reading without a stack of its
// own. Only the pages that are touched cost memory: one, in a thread without
// such handlers.
#define RUNTIME_VDSO_STACK_DEFAULT 65536

// RUNTIME_READING_STACK bounds what a reading takes from an attached thread's
// own stack, the return address included. Units: bytes.
#define RUNTIME_READING_STACK 64

// runtime_Held is what runtime_now holds on to from one reading to the next:
// the wall clock less the monotonic clock, which only an update of the kernel's
// changes, and the coarse monotonic clock of the last update.
typedef struct runtime_Held {
  int64_t coarseSec;
  int64_t coarseNsec;
  int64_t sec;
  int64_t nsec;  // 0 <= nsec < 10^9
  uint32_t
      generation;  // of the routes that it was read by; 0 when there is none
} runtime_Held;

// runtime_M is the record of a thread's readings, Go's m. Every thread has one;
// runtimes that keep another in a register give it to the entry points that
// take an M. Fields are read by the assembly entry points; use the functions
// below instead.
typedef struct runtime_M {
  uintptr_t vdsoFP;  // frame of the reading under way, 0 when there is none
  uintptr_t vdsoStackHi;  // where readings begin; 0 when there is no stack
  uintptr_t vdsoStackLo;
  uintptr_t signalStackLo;  // the thread's alternate signal stack, and its size
  uintptr_t signalStackSize;
  void* embedder;  // free for the embedder's use
  runtime_Held held;
} runtime_M;

// runtime_Walltime is an instant of CLOCK_REALTIME: sec * 10^9 + nsec
// nanoseconds after 1970. Units: seconds, and nanoseconds with
// 0 <= nsec < 10^9, also before 1970.
typedef struct runtime_Walltime {
  int64_t sec;
  int32_t nsec;
} runtime_Walltime;

// runtime_Now is an instant on both clocks. Units: sec and nsec as in
// runtime_Walltime; mono as runtime_nanotime.
typedef struct runtime_Now {
  int64_t sec;
  int32_t nsec;
  int64_t mono;
} runtime_Now;

// runtime_nanotime returns the monotonic time.
// Units: nanoseconds. Errors: none are returned; see runtime_setFatalHook.
int64_t runtime_nanotime(void);

// runtime_walltime returns the wall-clock time.
// Errors: none are returned; see runtime_setFatalHook.
runtime_Walltime runtime_walltime(void);

// runtime_now returns wall-clock and monotonic time, for little more than the
// price of one of them: wall-clock time is the monotonic time plus the
// difference that the two clocks had at that instant, so that a clock that is
// set meanwhile does not come between. A kernel whose coarse clocks do not
// serve for that is asked for the wall clock, then for the monotonic one.
// Errors: none are returned; see runtime_setFatalHook.
runtime_Now runtime_now(void);

// runtime_nanotimeM, runtime_walltimeM and runtime_nowM are the same for
// runtimes that keep an M in a register or run without thread-local storage.
// m is used by no other thread meanwhile; NULL: stay on the caller's stack, and
// publish nothing. Work must not be moved to another thread before the call
// returns: an embedder that preempts by signal asks runtime_inReading first.
int64_t runtime_nanotimeM(runtime_M* m);
runtime_Walltime runtime_walltimeM(runtime_M* m);
runtime_Now runtime_nowM(runtime_M* m);

// runtime_timeInit finds the vDSO, holds it against the syscall (under a
// seccomp filter: see runtime_timeVerify in info.h), and makes it the route of
// all later readings. auxv is the process's auxiliary vector, or NULL to read
// /proc/self/auxv.
// Returns 1 when readings go through the vDSO, 0 when they go through the
// syscall. Before the first call they go through the syscall, too.
// Errors: none; whatever is wrong with the auxv or the image means 0. When the
// routes cannot be written (info.h, -EBUSY) they stay, and it returns as
// before. Threads: may run again, at the same time, and beside readings. When
// the vDSO has moved (checkpoint and restore, mremap), it must run before the
// next reading. Signals: not from a handler. Stack: under 4 KiB. A hosted
// program need not call it: //runtime/time does so before main.
int runtime_timeInit(const void* auxv);

// runtime_timeInitFromStack is runtime_timeInit for a program with its own
// _start. stack is the stack pointer at the process's entry: argc, argv, envp
// and the auxiliary vector lie there (System V ABI, "Process Initialization").
int runtime_timeInitFromStack(const void* stack);

// runtime_attach lends the calling thread a stack: from now on its readings
// switch to it, except on the thread's alternate signal stack (sigaltstack(2)),
// for which it asks the kernel: see runtime_noteSignalStack. The stack should
// have a guard page below it, and must stay in place until runtime_detach or
// the thread's end, which needs no call. A child of fork(2) has what the thread
// had that forked. Errors, all then being as it was: -EINVAL when stack is
// NULL, size is less than RUNTIME_VDSO_STACK_MIN or runs past the end of
// memory, or one of the two is not a multiple of 16; an error of
// sigaltstack(2), which only a sandbox has. Signals: not from a handler that
// interrupted a reading.
int runtime_attach(void* stack, size_t size);

// runtime_detach takes it back: readings stay on their caller's stack.
// Signals: as runtime_attach.
void runtime_detach(void);

// runtime_attachAlloc is runtime_attach with a stack that it maps, of size
// bytes or a little more above a guard page. size may be 0 for
// RUNTIME_VDSO_STACK_DEFAULT. For programs with a C library.
// Errors: -EINVAL when size is too small or too large; -ENOMEM or another error
// of mmap(2). Signals: not from a handler.
int runtime_attachAlloc(size_t size);

// runtime_detachFree is runtime_detach for a thread that runtime_attachAlloc
// has attached, and unmaps the stack. A thread calls it before it ends. It does
// nothing when the thread is not attached. Signals: not from a handler.
void runtime_detachFree(void);

// runtime_currentM returns the calling thread's own M, attached or not.
runtime_M* runtime_currentM(void);

// runtime_initM prepares an M of the embedder's, for the entry points that take
// an M: with a stack, and for the calling thread's signal stack, as
// runtime_attach. m need not be zeroed; its field embedder is left alone.
int runtime_initM(runtime_M* m, void* stack, size_t size);

// runtime_noteSignalStack asks the kernel for the calling thread's alternate
// signal stack again. A thread whose M has a vDSO stack calls it after each
// sigaltstack(2): a handler's reading that left a signal stack which m does not
// know would lay it open to the next signal, whose frame the kernel puts at the
// top of an alternate stack that nobody is on. Errors: as sigaltstack(2).
// Signals: not from a handler.
int runtime_noteSignalStack(runtime_M* m);

// runtime_vdsoFrame tells whether m's thread is inside a reading, and where
// that reading will return to: the place where an unwinder should start.
// Returns 1 and fills *pc and *sp (the caller's stack pointer after the
// return), or returns 0 and leaves them alone. Threads: m's own thread only,
// for instance in a signal handler.
int runtime_vdsoFrame(const runtime_M* m, uintptr_t* pc, uintptr_t* sp);

// runtime_inVDSO tells whether pc lies in the code of the vDSO that the last
// initialisation found: there, a profiler asks runtime_vdsoFrame for the caller
// and does not unwind, since not every kernel's vDSO has unwind data.
// Returns 1 or 0.
int runtime_inVDSO(uintptr_t pc);

// runtime_inReading tells whether m's thread, interrupted at pc, is inside a
// reading, from the entry point's first instruction to its last. A runtime that
// preempts by signal must not move such a thread's work to another thread, for
// it may be about to use m's stack. m may be NULL.
// Returns 1 or 0. Threads: as runtime_vdsoFrame.
int runtime_inReading(const runtime_M* m, uintptr_t pc);

// runtime_markM returns a mark of the reading that m's thread is inside; 0 when
// it is inside none.
uintptr_t runtime_markM(const runtime_M* m);

// runtime_resetM forgets the readings begun since the mark was taken. A signal
// handler that leaves a reading for good (siglongjmp, an exception, a switch to
// another context) must see to it, with the mark of the place that it goes to,
// taken before sigsetjmp; or the thread's later readings stay on their callers'
// stacks. The mark is 0 where that place lies inside no signal handler.
void runtime_resetM(runtime_M* m, uintptr_t mark);

// runtime_FatalHook is told that no route can read the clock. message is one
// line that ends with a newline. The hook should not return: the process is
// aborted when it does.
// Threads: called on every thread that fails. Signals: must be async-signal-
// safe, and must not read the clock. Stack: runs on the vDSO stack.
typedef void (*runtime_FatalHook)(const char* message);

// runtime_setFatalHook installs the hook and returns the previous one. NULL
// means the default: write the message to file descriptor 2 and abort.
runtime_FatalHook runtime_setFatalHook(runtime_FatalHook hook);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RUNTIME_TIME_TIME_H_
