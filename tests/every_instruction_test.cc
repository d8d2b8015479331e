// Whatever instruction of a reading a signal falls on: unwinders find the
// caller and main, what is published is right, and a handler may read the
// clock.

#include <elf.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <time.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/clocks.h"
#include "runtime/time/init.h"
#include "runtime/time/pair.h"
#include "runtime/time/time.h"
#include "tests/entry_frames.h"
#include "tests/entry_walk.h"

// The same functions with a fault each; see the BUILD file.
#define DECLARE_FAULTY(fault)                     \
  extern "C" {                                    \
  int64_t fault##_nanotime();                     \
  int64_t fault##_nanotimeM(runtime_M*);          \
  runtime_Walltime fault##_walltime();            \
  runtime_Walltime fault##_walltimeM(runtime_M*); \
  runtime_Now fault##_now();                      \
  runtime_Now fault##_nowM(runtime_M*);           \
  extern const char fault##_entryBegin[]          \
      __attribute__((visibility("hidden")));      \
  }
DECLARE_FAULTY(cfi)
DECLARE_FAULTY(publish)
DECLARE_FAULTY(withdraw)
extern "C" {
extern const char runtime_entryBegin[] __attribute__((visibility("hidden")));
extern const char runtime_clocksBegin[] __attribute__((visibility("hidden")));
}

namespace runtime {
namespace {

constexpr char kReadelf[] =
#include "tests/entry_points_readelf.inc"
    ;
constexpr char kObjdump[] =
#include "tests/entry_points_objdump.inc"
    ;
constexpr char kClocksReadelf[] =
#include "tests/clock_entry_points_readelf.inc"
    ;
constexpr char kClocksObjdump[] =
#include "tests/clock_entry_points_objdump.inc"
    ;
constexpr char kCfiReadelf[] =
#include "tests/faulty_cfi_readelf.inc"
    ;
constexpr char kCfiObjdump[] =
#include "tests/faulty_cfi_objdump.inc"
    ;
constexpr char kPublishReadelf[] =
#include "tests/faulty_publish_readelf.inc"
    ;
constexpr char kPublishObjdump[] =
#include "tests/faulty_publish_objdump.inc"
    ;
constexpr char kWithdrawReadelf[] =
#include "tests/faulty_withdraw_readelf.inc"
    ;
constexpr char kWithdrawObjdump[] =
#include "tests/faulty_withdraw_objdump.inc"
    ;

#define ENTRY_POINTS(prefix, readelf, objdump)                                 \
  EntryPoints {                                                                \
    prefix##_nanotime, prefix##_nanotimeM, prefix##_walltime,                  \
        prefix##_walltimeM, prefix##_now, prefix##_nowM, nullptr, nullptr, {}, \
        reinterpret_cast<uintptr_t>(prefix##_entryBegin),                      \
        ParseEntryFrames(readelf, objdump)                                     \
  }

EntryPoints ClockEntryPoints() {
  return {nullptr,
          nullptr,
          nullptr,
          nullptr,
          nullptr,
          nullptr,
          runtime_clockNs,
          runtime_clockNsM,
          {runtime_realtimeNs, runtime_monotonicNs, runtime_monotonicRawNs,
           runtime_realtimeCoarseNs, runtime_monotonicCoarseNs,
           runtime_boottimeNs, runtime_taiNs},
          reinterpret_cast<uintptr_t>(runtime_clocksBegin),
          ParseEntryFrames(kClocksReadelf, kClocksObjdump)};
}

// Entries of each object file: from, and up to but without.
struct Entries {
  int begin;
  int end;
};
constexpr Entries kReadings = {0, static_cast<int>(Entry::kClockNs)};
constexpr Entries kClocks = {static_cast<int>(Entry::kClockNs),
                             static_cast<int>(Entry::kOwnClockNs) + kOwnClocks};
constexpr Entries kPairs = {static_cast<int>(Entry::kNow),
                            static_cast<int>(Entry::kClockNs)};

const char* const kEntryNames[] = {"nanotime",
                                   "nanotimeM",
                                   "walltime",
                                   "walltimeM",
                                   "now",
                                   "nowM",
                                   "clockNs",
                                   "clockNsM",
                                   "realtimeNs",
                                   "monotonicNs",
                                   "monotonicRawNs",
                                   "realtimeCoarseNs",
                                   "monotonicCoarseNs",
                                   "boottimeNs",
                                   "taiNs"};
const char* const kSituationNames[] = {"attached", "no stack", "nested"};

// StillRoute has a tick that never ends: the difference that a thread holds is
// good for as long as a walk takes. With the odd nanoseconds a sum of them is a
// second or more.
template <int64_t kNsec>
int StillRoute(int32_t clockid, KernelTimespec* ts) {
  constexpr int64_t kSec = 1'700'000'000;
  *ts = {1, 0};
  if (clockid != CLOCK_MONOTONIC_COARSE && clockid != CLOCK_REALTIME_COARSE) {
    const int rc = kTraps.routes[0](CLOCK_MONOTONIC, ts);
    if (rc != 0) return rc;
  }
  if (clockid == CLOCK_REALTIME || clockid == CLOCK_REALTIME_COARSE) {
    const int64_t nsec = ts->nsec + kNsec;
    *ts = {ts->sec + kSec + nsec / 1'000'000'000, nsec % 1'000'000'000};
  }
  return 0;
}

struct Way {
  std::string name;
  RouteList routes;
  Pairing pairing;
};

// Ways to read; the failing one leads through the slow path.
std::vector<Way> Ways(const Entries& entries) {
  if (entries.begin == kPairs.begin) {
    return {{"held", {{StillRoute<0>}}, ReadHeld},
            {"held, with a carry", {{StillRoute<999'999'999>}}, ReadHeld}};
  }
  InitForced(getauxval(AT_SYSINFO_EHDR), RUNTIME_ROUTE_AUTO);
  std::vector<Way> ways;
  const Route best = runtime_route.in_use.load();
  if (!IsTrap(best)) ways.push_back({"vDSO", {{best}}, nullptr});
  ways.push_back({"trap", kTraps, nullptr});
  ways.push_back(
      {"failing", {{FailingRoute, kTraps.routes[0], kLastTrap}}, nullptr});
  return ways;
}

struct Walked {
  std::string faults;  // of all walks, with their names
  std::set<uintptr_t> visited;
  int walks = 0;
  int stops = 0;
};

void WalkOnce(const EntryPoints& entries, const std::string& route,
              const WalkOptions& options, const void* main_frame,
              Walked* walked) {
  const WalkResult result = Walk(entries, options, main_frame);
  ++walked->walks;
  walked->stops += result.stops;
  walked->visited.insert(result.visited.begin(), result.visited.end());
  if (!result.faults.empty()) {
    absl::StrAppend(
        &walked->faults, kEntryNames[static_cast<int>(options.entry)], ", ",
        kSituationNames[static_cast<int>(options.situation)], ", ", route, ", ",
        options.alternate_stack ? "alternate stack, vDSO stack below: "
                                : "current stack, vDSO stack above: ",
        absl::StrJoin(result.faults, "; "), "\n");
  }
}

// Main is main's frame, and a vDSO stack in it, above all that it calls.
struct Main {
  const void* frame;
  char* stack;
};

alignas(16) char stack_below[kWalkStackSize];

// WalkEverywhere goes through each entry point in every way.
[[gnu::noinline]] void WalkEverywhere(const EntryPoints& points,
                                      const Entries& entries, const Main& main,
                                      Walked* walked) {
  for (const Way& way : Ways(entries)) {
    for (int entry = entries.begin; entry < entries.end; ++entry) {
      for (int situation = 0; situation < 3; ++situation) {
        for (const bool alternate_stack : {true, false}) {
          WalkOnce(
              points, way.name,
              {static_cast<Entry>(entry), static_cast<Situation>(situation),
               way.routes, way.pairing,
               alternate_stack ? stack_below : main.stack, alternate_stack},
              main.frame, walked);
        }
      }
    }
  }
}

std::map<std::string, Walked> walked;
std::map<std::string, std::vector<uintptr_t>> instructions;

[[gnu::noinline, maybe_unused]] void WalkAll(const Main& main) {
  const EntryPoints real = ENTRY_POINTS(runtime, kReadelf, kObjdump);
  instructions["readings"] = real.frames.instructions;
  WalkEverywhere(real, kReadings, main, &walked["readings"]);
  WalkEverywhere(real, kPairs, main, &walked["readings"]);
  const EntryPoints clocks = ClockEntryPoints();
  instructions["clocks"] = clocks.frames.instructions;
  WalkEverywhere(clocks, kClocks, main, &walked["clocks"]);

  WalkEverywhere(ENTRY_POINTS(cfi, kCfiReadelf, kCfiObjdump), kReadings, main,
                 &walked["cfi"]);
  WalkEverywhere(ENTRY_POINTS(publish, kPublishReadelf, kPublishObjdump),
                 kReadings, main, &walked["publish"]);
  WalkEverywhere(ENTRY_POINTS(withdraw, kWithdrawReadelf, kWithdrawObjdump),
                 kReadings, main, &walked["withdraw"]);
  InitForced(getauxval(AT_SYSINFO_EHDR), RUNTIME_ROUTE_AUTO);
}

class EveryInstructionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (walked.empty()) GTEST_SKIP() << "the sanitizer has its own signals";
  }
};

TEST_F(EveryInstructionTest, LeadsToMain) {
  for (const auto& [name, all] : instructions) {
    const Walked& real = walked[name];
    RecordProperty(name + "_walks", real.walks);
    RecordProperty(name + "_stops", real.stops);
    RecordProperty(name + "_instructions",
                   static_cast<int>(real.visited.size()));
    EXPECT_EQ(real.faults, "");
    EXPECT_GT(real.stops, 1000);
  }
}

TEST_F(EveryInstructionTest, IsVisited) {
  EXPECT_EQ(instructions.size(), 2u);
  for (const auto& [name, all] : instructions) {
    EXPECT_GT(all.size(), 60u) << name;
    std::string missing;
    for (const uintptr_t offset : all) {
      if (walked[name].visited.count(offset) == 0) {
        absl::StrAppend(&missing, absl::Hex(offset), " ");
      }
    }
    EXPECT_EQ(missing, "") << name;
  }
}

// The walk sees what is wrong.
TEST_F(EveryInstructionTest, WouldBeSeenWithoutALineOfCfi) {
  EXPECT_NE(walked["cfi"].faults.find("the frame is elsewhere"),
            std::string::npos);
#ifndef __arm__
  EXPECT_NE(walked["cfi"].faults.find("unwinding: "), std::string::npos);
#endif
}

TEST_F(EveryInstructionTest, WouldBeSeenPublishingTooLate) {
  EXPECT_NE(walked["publish"].faults.find("nothing, on the vDSO stack"),
            std::string::npos);
}

TEST_F(EveryInstructionTest, WouldBeSeenWithdrawingTooEarly) {
  EXPECT_NE(walked["withdraw"].faults.find("nothing, on the vDSO stack"),
            std::string::npos);
}

}  // namespace
}  // namespace runtime

// The walks are made here, where nothing lies between them and main.
int main(int argc, char** argv) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  alignas(16) char stack_above[runtime::kWalkStackSize];
  runtime::WalkAll({__builtin_frame_address(0), stack_above});
#endif
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
