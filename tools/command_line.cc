#include "tools/command_line.h"

#include <stdlib.h>

#include <cstdio>
#include <iostream>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/strings/match.h"

namespace runtime {
namespace {

bool parsed = false;
bool help_shown = false;
const char* shown_file;

// CorrectExitCode tells a wrong flag from a run that failed and from --help:
// Abseil ends the program with code 1 for all.
void CorrectExitCode(int code, void*) {
  if (parsed || code != 1) return;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(help_shown ? 0 : kExitUsage);
}

bool IsShown(absl::string_view file) {
  help_shown = true;
  return absl::EndsWith(file, shown_file);
}

}  // namespace

void ParseCommandLine(int argc, char** argv, absl::string_view usage,
                      const char* source_file) {
  shown_file = source_file;
  absl::SetProgramUsageMessage(usage);
  absl::FlagsUsageConfig config;
  config.contains_help_flags = IsShown;
  absl::SetFlagsUsageConfig(config);
  on_exit(CorrectExitCode, nullptr);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    std::cerr << "ERROR: Not a flag: '" << rest[1] << "'\n";
    std::exit(kExitUsage);
  }
  parsed = true;
}

}  // namespace runtime
