// The advice for machines that this one is not.

#include "tools/clockinfo/advice.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/clockinfo/machine.h"

namespace runtime {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

// Good is a machine of which there is nothing to say.
Facts Good() {
  Facts facts;
  facts.has_sysinfo_ehdr = true;
  facts.clocksource = "tsc";
  facts.available_clocksources = {"tsc", "hpet", "acpi_pm"};
  facts.info.route_count = 2;
  facts.info.routes[0] = {RUNTIME_ROUTE_VDSO,
                          "clock_gettime",
                          "LINUX_2.6",
                          0x1000,
                          RUNTIME_VERIFY_HELD,
                          RUNTIME_STATE_IN_USE,
                          0};
  facts.info.routes[1] = {RUNTIME_ROUTE_SYSCALL, "clock_gettime",    nullptr, 0,
                          RUNTIME_VERIFY_NONE,   RUNTIME_STATE_NEXT, 0};
  facts.info.pairing = RUNTIME_PAIR_HELD;
  facts.bounds.synchronized = 1;
  facts.clocks = {{"MONOTONIC", 1, true, UserSpace::kYes},
                  {"THREAD_CPUTIME_ID", 3, false, UserSpace::kNo}};
  return facts;
}

// FallingBack is one whose clocks are read by system calls.
Facts FallingBack() {
  Facts facts = Good();
  facts.clocks[0].user_space = UserSpace::kNo;
  return facts;
}

Facts WithoutVdso() {
  Facts facts = FallingBack();
  facts.has_sysinfo_ehdr = false;
  facts.info.routes[0] = facts.info.routes[1];
  facts.info.routes[0].state = RUNTIME_STATE_IN_USE;
  facts.info.route_count = 1;
  facts.info.pairing = RUNTIME_PAIR_TWICE;
  return facts;
}

auto Says(const std::string& what, const std::string& todo) {
  return AllOf(Field(&Advice::what, HasSubstr(what)),
               Field(&Advice::todo, HasSubstr(todo)));
}

TEST(AdviceTest, NothingWhereAllIsWell) {
  EXPECT_THAT(Advise(Good()), IsEmpty());
  EXPECT_FALSE(Good().FallsBack());
  EXPECT_TRUE(FallingBack().FallsBack());
}

TEST(AdviceTest, NoVdsoByTheKernelsParameters) {
  for (const std::string parameter : {"vdso=0", "vdso32=0"}) {
    Facts facts = WithoutVdso();
    facts.command_line = "quiet " + parameter + " panic=1";
    EXPECT_THAT(Advise(facts), ElementsAre(Says("booted with " + parameter,
                                                "Boot without " + parameter)));
  }
}

TEST(AdviceTest, NoVdsoForAnotherReason) {
  Facts facts = WithoutVdso();
  facts.command_line = "quiet vdso=01 xvdso=0";
  EXPECT_THAT(Advise(facts), ElementsAre(Says("no vDSO", "emulators")));
  facts.has_sysinfo_ehdr = true;
  EXPECT_THAT(Advise(facts),
              ElementsAre(Says("none whose clock_gettime", "arch_timer")));
}

TEST(AdviceTest, AnotherClocksourceIsThere) {
  for (const std::string source : {"hpet", "acpi_pm"}) {
    Facts facts = FallingBack();
    facts.clocksource = source;
    EXPECT_THAT(Advise(facts),
                ElementsAre(Says("clocksource is " + source, "echo tsc > ")));
  }
}

TEST(AdviceTest, NoOtherClocksourceIsThere) {
  Facts facts = FallingBack();
  facts.clocksource = "jiffies";
  facts.available_clocksources = {"jiffies"};
  EXPECT_THAT(Advise(facts),
              ElementsAre(Says("moves only with the kernel's tick",
                               "available (jiffies)")));
  facts.hypervisor = "KVMKVMKVM";
  EXPECT_THAT(Advise(facts), ElementsAre(Says("jiffies", "hypervisor")));
}

TEST(AdviceTest, AGoodClocksourceThatFallsBack) {
  Facts facts = FallingBack();
  EXPECT_THAT(Advise(facts), ElementsAre(Says("could read itself", "erratum")));
  facts.hypervisor = "XenVMMXenVMM";
  EXPECT_THAT(Advise(facts),
              ElementsAre(Says("could read itself", "XenVMMXenVMM")));
}

TEST(AdviceTest, TheSyscallIsForced) {
  Facts facts = FallingBack();
  facts.info.forced = RUNTIME_ROUTE_SYSCALL;
  EXPECT_THAT(Advise(facts), ElementsAre(Says("forced", "RUNTIME_TIME_ROUTE")));
}

TEST(AdviceTest, TheCounterIsForbidden) {
  Facts facts = FallingBack();
  facts.info.routes[0].verification = RUNTIME_VERIFY_FORBIDDEN;
  facts.info.routes[0].state = RUNTIME_STATE_UNUSED;
  EXPECT_THAT(Advise(facts),
              ElementsAre(Says("A sandbox hides", "PR_GET_TSC")));
  facts.counter_forbidden = true;
  EXPECT_THAT(Advise(facts), ElementsAre(Says("PR_SET_TSC", "Find who")));
}

TEST(AdviceTest, ABadVdso) {
  Facts facts = FallingBack();
  facts.info.routes[0].state = RUNTIME_STATE_UNUSED;
  facts.info.routes[0].verification = RUNTIME_VERIFY_LIED;
  EXPECT_THAT(Advise(facts), ElementsAre(Says("another time", "Update")));
  facts.info.routes[0].verification = RUNTIME_VERIFY_FAILED;
  EXPECT_THAT(Advise(facts), ElementsAre(Says("fails to read", "Update")));
}

TEST(AdviceTest, WhatIsNotIdeal) {
  Facts demoted = Good();
  demoted.info.demotions = 1;
  EXPECT_THAT(Advise(demoted), ElementsAre(Says("given up", "report")));
  Facts filtered = Good();
  filtered.seccomp_filter = true;
  filtered.info.routes[0].verification = RUNTIME_VERIFY_NONE;
  EXPECT_THAT(Advise(filtered),
              ElementsAre(Says("seccomp filter", "runtime_timeVerify")));
  Facts twice = Good();
  twice.info.pairing = RUNTIME_PAIR_TWICE;
  EXPECT_THAT(Advise(twice),
              ElementsAre(Says("one after the other", "gVisor")));
  Facts alone = Good();
  alone.bounds.synchronized = 0;
  EXPECT_THAT(Advise(alone), ElementsAre(Says("disciplines", "chrony")));
}

TEST(MachineTest, ParsesClocksources) {
  Facts facts;
  ParseClocksources("tsc\n", "tsc hpet acpi_pm \n", &facts);
  EXPECT_EQ(facts.clocksource, "tsc");
  EXPECT_THAT(facts.available_clocksources,
              ElementsAre("tsc", "hpet", "acpi_pm"));
  ParseClocksources("", "", &facts);
  EXPECT_EQ(facts.clocksource, "");
  EXPECT_THAT(facts.available_clocksources, IsEmpty());
}

TEST(MachineTest, ParsesTimensOffsets) {
  Facts facts;
  ParseTimensOffsets(
      "monotonic           0         0\nboottime            0     "
      "    0\n",
      &facts);
  EXPECT_EQ(facts.timens_offsets, "monotonic 0 0, boottime 0 0");
  EXPECT_FALSE(facts.in_time_namespace);
  ParseTimensOffsets("monotonic    -86400   500000000\n", &facts);
  EXPECT_EQ(facts.timens_offsets, "monotonic -86400 500000000");
  EXPECT_TRUE(facts.in_time_namespace);
  Facts none;
  ParseTimensOffsets("", &none);
  ParseTimensOffsets("nonsense\nmonotonic\n", &none);
  EXPECT_EQ(none.timens_offsets, "");
  EXPECT_FALSE(none.in_time_namespace);
}

TEST(CostTest, Percentiles) {
  const Cost cost = {RUNTIME_ROUTE_VDSO, {5, 1, 4, 2, 3}};
  EXPECT_EQ(cost.Min(), 1);
  EXPECT_EQ(cost.Percentile(50), 3);
  EXPECT_EQ(cost.Percentile(99), 5);
  EXPECT_EQ((Cost{RUNTIME_ROUTE_VDSO, {}}).Percentile(50), 0);
}

}  // namespace
}  // namespace runtime
