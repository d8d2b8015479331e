// Abseil's flags, for programs whose exit code tells a wrong flag (2) from a
// run that failed (1).

#ifndef TOOLS_COMMAND_LINE_H_
#define TOOLS_COMMAND_LINE_H_

#include <string>

#include "absl/flags/marshalling.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace runtime {

inline constexpr int kExitUsage = 2;

// Number is a flag's value that knows its limits: Abseil names the flag, and
// prints the error.
template <int kMin, int kMax>
struct Number {
  int value;
};

template <int kMin, int kMax>
bool AbslParseFlag(absl::string_view text, Number<kMin, kMax>* number,
                   std::string* error) {
  if (absl::ParseFlag(text, &number->value, error) && number->value >= kMin &&
      number->value <= kMax) {
    return true;
  }
  *error = absl::StrCat("a number from ", kMin, " to ", kMax, ", please");
  return false;
}

template <int kMin, int kMax>
std::string AbslUnparseFlag(const Number<kMin, kMax>& number) {
  return absl::StrCat(number.value);
}

// ParseCommandLine sets the flags. It does not return when one is wrong (exit
// code 2) nor after --help (0), which shows usage and the flags of source_file.
void ParseCommandLine(int argc, char** argv, absl::string_view usage,
                      const char* source_file);

}  // namespace runtime

#endif  // TOOLS_COMMAND_LINE_H_
