// A walk through a reading that stops at every instruction and looks around.

#ifndef TESTS_ENTRY_WALK_H_
#define TESTS_ENTRY_WALK_H_

#include <stdint.h>

#include <set>
#include <string>
#include <vector>

#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/entry_frames.h"

namespace runtime {

// The clocks with entry points of their own.
inline constexpr int kOwnClocks = 7;

// EntryPoints are the functions under test, and what is known of their code.
// All are of one object file; the others are nullptr.
struct EntryPoints {
  int64_t (*nanotime)();
  int64_t (*nanotimeM)(runtime_M*);
  runtime_Walltime (*walltime)();
  runtime_Walltime (*walltimeM)(runtime_M*);
  runtime_Now (*now)();
  runtime_Now (*nowM)(runtime_M*);
  int64_t (*clockNs)(int32_t, int*);
  int64_t (*clockNsM)(runtime_M*, int32_t, int*);
  int64_t (*ownClockNs[kOwnClocks])(int*);
  uintptr_t begin;  // of the code
  EntryFrames frames;
};

enum class Entry {
  kNanotime,
  kNanotimeM,
  kWalltime,
  kWalltimeM,
  kNow,
  kNowM,
  kClockNs,
  kClockNsM,
  kOwnClockNs,  // and those that follow
};

// Situation is where the reading that is walked through runs.
enum class Situation {
  kAttached,  // a thread with a vDSO stack
  kNoStack,   // a thread without one; NULL for entry points that take an M
  kNested,    // a handler that interrupted a reading of an attached thread
};

// kWalkStackSize has room for the kernel's signal frames, and for an
// unwinder's.
inline constexpr size_t kWalkStackSize = 512 << 10;

struct WalkOptions {
  Entry entry;
  Situation situation;
  RouteList routes;
  Pairing pairing;
  char* vdso_stack;      // of kWalkStackSize
  bool alternate_stack;  // the handlers' signals have SA_ONSTACK
};

struct WalkResult {
  std::set<uintptr_t> visited;  // offsets from EntryPoints::begin
  std::vector<std::string> faults;
  int stops = 0;  // at instructions of the entry points
};

// FailingRoute makes the reading that is walked through go on to the next
// route; those of the handler it serves, or they would have it demoted.
int FailingRoute(int32_t clockid, KernelTimespec* ts);

// Walk makes a reading and stops it at each instruction, with a signal whose
// handler
//
//   - holds the call frame information, and the frame pointer, against where
//     the caller's registers really are;
//   - unwinds to main, where an unwinder can start from any instruction;
//   - holds what is published against the truth;
//   - reads the clocks, and looks whether all is as it was.
//
// x86: by the trap flag, so the vDSO's instructions are among them. arm and
// arm64, where a process cannot set one: by a breakpoint at one instruction
// after the other. main_frame is main's frame address, to which the chain of
// frame pointers must lead. Threads: one at a time in the process.
WalkResult Walk(const EntryPoints& entries, const WalkOptions& options,
                const void* main_frame);

}  // namespace runtime

#endif  // TESTS_ENTRY_WALK_H_
