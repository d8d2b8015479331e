// What the kernel says of the machine.

#ifndef TOOLS_CLOCKINFO_MACHINE_H_
#define TOOLS_CLOCKINFO_MACHINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tools/clockinfo/facts.h"

namespace runtime {

// GatherMachine fills in all but the clocks and what they cost.
void GatherMachine(Facts* facts);

// ParseTimensOffsets reads /proc/self/timens_offsets: the first line of each
// clock, joined, and whether one of them is not 0.
void ParseTimensOffsets(absl::string_view text, Facts* facts);

// ParseClocksources reads current_clocksource and available_clocksource.
void ParseClocksources(absl::string_view current, absl::string_view available,
                       Facts* facts);

}  // namespace runtime

#endif  // TOOLS_CLOCKINFO_MACHINE_H_
