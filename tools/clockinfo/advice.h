// What is slow or wrong, and what to do.

#ifndef TOOLS_CLOCKINFO_ADVICE_H_
#define TOOLS_CLOCKINFO_ADVICE_H_

#include <string>
#include <vector>

#include "tools/clockinfo/facts.h"

namespace runtime {

struct Advice {
  std::string what;  // a sentence
  std::string todo;  // another
};

// Advise returns all that there is to say; nothing, when all is well.
std::vector<Advice> Advise(const Facts& facts);

// HasVdsoClocksource tells whether the vDSO of a kernel can read the
// clocksource.
bool HasVdsoClocksource(const Facts& facts);

}  // namespace runtime

#endif  // TOOLS_CLOCKINFO_ADVICE_H_
