// Where a thread that was interrupted is: for profilers and schedulers.

#include <stdint.h>

#include "runtime/time/m.h"
#include "runtime/time/time.h"
#include "runtime/vdso/vdso_linux.h"

extern "C" {

// The entry points lie between two of these: readings and pairs, and any clock.
extern const char runtime_entryBegin[] __attribute__((visibility("hidden")));
extern const char runtime_entryEnd[] __attribute__((visibility("hidden")));
extern const char runtime_clocksBegin[] __attribute__((visibility("hidden")));
extern const char runtime_clocksEnd[] __attribute__((visibility("hidden")));

}  // extern "C"

namespace {

// The frame record of every arch's entry points: vdsoFP points to the caller's
// frame pointer, then comes the return address, and there the caller's frame
// ends.
struct FrameRecord {
  uintptr_t caller_fp;
  uintptr_t return_address;
};

bool IsBetween(uintptr_t pc, const char* begin, const char* end) {
  return pc >= reinterpret_cast<uintptr_t>(begin) &&
         pc < reinterpret_cast<uintptr_t>(end);
}

}  // namespace

int runtime_vdsoFrame(const runtime_M* m, uintptr_t* pc, uintptr_t* sp) {
  const uintptr_t fp = runtime_markM(m);
  if (fp == 0) return 0;
  const auto* record = reinterpret_cast<const FrameRecord*>(fp);
  *pc = record->return_address;
  *sp = fp + sizeof(FrameRecord);
  return 1;
}

int runtime_inVDSO(uintptr_t pc) { return runtime::inVDSOPage(pc) ? 1 : 0; }

int runtime_inReading(const runtime_M* m, uintptr_t pc) {
  if (m != nullptr && runtime_markM(m) != 0) return 1;
  return IsBetween(pc, runtime_entryBegin, runtime_entryEnd) ||
                 IsBetween(pc, runtime_clocksBegin, runtime_clocksEnd)
             ? 1
             : 0;
}
