// In a guest whose kernel was told to have slow clocks: //tools:clockinfo sees
// it and says what to do.

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "tools/clockinfo/advice.h"
#include "tools/clockinfo/clocks.h"
#include "tools/clockinfo/machine.h"
#include "tools/clockinfo/report.h"

namespace runtime {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

// The parameter of the kernel that a boot is about.
const char* const kParameters[] = {"clocksource=hpet", "clocksource=acpi_pm",
                                   "clocksource=jiffies", "vdso=0", "vdso32=0"};

std::string Parameter(const Facts& facts) {
  for (const char* parameter : kParameters) {
    if (absl::StrContains(facts.command_line, parameter)) return parameter;
  }
  return "";
}

Facts Gather() {
  Facts facts;
  facts.clocks = AllClocks();
  GatherMachine(&facts);
  ProveUserSpace(runtime_route.in_use.load(), &facts.clocks);
  std::atomic<bool> stop{false};
  Measure({absl::ZeroDuration(), &stop, [] {}}, &facts);
  return facts;
}

UserSpace Of(const Facts& facts, int32_t clockid) {
  for (const ClockFacts& clock : facts.clocks) {
    if (clock.clockid == clockid) return clock.user_space;
  }
  return UserSpace::kUnknown;
}

TEST(ClockinfoGuestTest, SaysWhatIsSlowAndWhatToDo) {
  const Facts facts = Gather();
  SCOPED_TRACE(TextReport(facts));
  const std::string parameter = Parameter(facts);
  const std::vector<Advice> advice = Advise(facts);
  const auto says = [](const std::string& what, const std::string& todo) {
    return Contains(AllOf(Field(&Advice::what, HasSubstr(what)),
                          Field(&Advice::todo, HasSubstr(todo))));
  };
  EXPECT_EQ(facts.FallsBack(), !parameter.empty());
  if (absl::StrContains(parameter, "vdso")) {
    EXPECT_EQ(facts.info.load_start, 0u);
    EXPECT_THAT(advice, says("booted with " + parameter, "Boot without"));
    EXPECT_EQ(Of(facts, CLOCK_MONOTONIC_COARSE), UserSpace::kNo);
    EXPECT_EQ(facts.info.pairing, RUNTIME_PAIR_TWICE);
  } else if (!parameter.empty()) {
    const std::string source = parameter.substr(parameter.find('=') + 1);
    EXPECT_EQ(facts.clocksource, source);
    EXPECT_THAT(advice, says("The clocksource is " + source, "echo tsc"));
    EXPECT_EQ(Of(facts, CLOCK_MONOTONIC), UserSpace::kNo);
    EXPECT_EQ(Of(facts, CLOCK_MONOTONIC_COARSE), UserSpace::kYes);
    // Pairs pay: one system call instead of two. Nothing is held where the time
    // stands still between ticks.
    EXPECT_NE(facts.info.pairing, RUNTIME_PAIR_TWICE);
    EXPECT_EQ(facts.info.pairing == RUNTIME_PAIR_BRACKETED,
              source == "jiffies");
  } else {
    EXPECT_THAT(advice, Not(says("clocksource", "")));
    EXPECT_EQ(Of(facts, CLOCK_MONOTONIC), UserSpace::kYes);
  }
}

}  // namespace
}  // namespace runtime
