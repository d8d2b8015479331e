#ifndef TESTS_ENTRY_FRAMES_H_
#define TESTS_ENTRY_FRAMES_H_

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace runtime {

// FrameRow is what the call frame information says of one instruction: where
// the frame is, and where in it the caller's registers are. Registers have
// readelf's names; "ra" is the return address.
struct FrameRow {
  std::string cfa_register;
  intptr_t cfa_offset;
  std::map<std::string, intptr_t> saved;  // relative to the frame's address
};

// EntryFrames is what readelf and objdump say of the object file that holds the
// entry points. Addresses are relative to its first instruction.
struct EntryFrames {
  std::map<uintptr_t, FrameRow> rows;   // each holds up to the next
  std::vector<uintptr_t> instructions;  // of all functions

  // At returns the row that holds for an instruction, or nullptr.
  const FrameRow* At(uintptr_t offset) const;
};

// ParseEntryFrames reads the outputs of
//   readelf -W --debug-dump=frames-interp
//   objdump -d --no-show-raw-insn
// Errors: no instructions, when it cannot make sense of them.
EntryFrames ParseEntryFrames(absl::string_view readelf,
                             absl::string_view objdump);

}  // namespace runtime

#endif  // TESTS_ENTRY_FRAMES_H_
