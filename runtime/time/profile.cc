// Where a thread that was interrupted is: for profilers and schedulers.

#include <stdint.h>

#include "runtime/time/m.h"
#include "runtime/time/time.h"
#include "runtime/vdso/vdso_linux.h"

extern "C" {

// The entry points lie between the two.
extern const char runtime_entryBegin[] __attribute__((visibility("hidden")));
extern const char runtime_entryEnd[] __attribute__((visibility("hidden")));

}  // extern "C"

namespace {

// The frame record of every arch's entry points: vdsoFP points to the caller's
// frame pointer, then comes the return address, and there the caller's frame
// ends.
struct FrameRecord {
  uintptr_t caller_fp;
  uintptr_t return_address;
};

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
  return pc >= reinterpret_cast<uintptr_t>(runtime_entryBegin) &&
                 pc < reinterpret_cast<uintptr_t>(runtime_entryEnd)
             ? 1
             : 0;
}
