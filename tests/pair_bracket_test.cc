// Pairs of this machine's clocks, each held between readings of both, ten
// million times; and in a time namespace, whose monotonic clock is another.

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/info.h"
#include "runtime/time/pair.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

namespace runtime {
namespace {

#if (defined(__x86_64__) || defined(__i386__)) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr int kReadings = 10'000'000;
#else
constexpr int kReadings = 300'000;  // emulated, or slow
#endif

struct Count {
  int outside = 0;
  int stepped = 0;  // somebody has set the clock meanwhile: no bracket
};

// CountOutside reads by the same route as runtime_now: a bracket of system
// calls would be wider.
Count CountOutside(int readings) {
  const Route route = runtime_route.in_use.load();
  const auto read = [route](int32_t clockid) {
    KernelTimespec ts = {};
    EXPECT_EQ(route(clockid, &ts), 0);
    return ts.sec * 1'000'000'000 + ts.nsec;
  };
  Count count;
  for (int i = 0; i < readings; ++i) {
    const int64_t wall_before = read(CLOCK_REALTIME);
    const int64_t mono_before = read(CLOCK_MONOTONIC);
    const runtime_Now now = runtime_now();
    const int64_t mono_after = read(CLOCK_MONOTONIC);
    const int64_t wall_after = read(CLOCK_REALTIME);
    const int64_t wall = now.sec * 1'000'000'000 + now.nsec;
    if (wall_after < wall_before) {
      ++count.stepped;
    } else if (wall < wall_before || wall > wall_after ||
               now.mono < mono_before || now.mono > mono_after) {
      ++count.outside;
    }
  }
  return count;
}

int Pairing() {
  runtime_TimeInfo info;
  EXPECT_EQ(runtime_timeInfo(&info), 0);
  return info.pairing;
}

class PairBracketTest : public RoutesFixture {};

TEST_F(PairBracketTest, TenMillion) {
  RecordProperty("pairing", Pairing());
  const Count count = CountOutside(kReadings);
  EXPECT_EQ(count.outside, 0);
  EXPECT_LT(count.stepped, kReadings / 100);
}

// Also where initialisation would not choose to.
TEST_F(PairBracketTest, InEveryWay) {
  const Route best = runtime_route.in_use.load();
  for (const auto pairing : {ReadBracketed, ReadHeld}) {
    for (const RouteList& routes : {RouteList{{best}}, kTraps}) {
      SetRoutes(routes, pairing);
      EXPECT_EQ(CountOutside(kReadings / 50).outside, 0);
    }
  }
}

bool WriteFile(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool ok =
      write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return ok;
}

// EnterTimeNamespace makes the children of this process live in one whose
// monotonic clock is seconds ahead.
bool EnterTimeNamespace(int seconds) {
  return unshare(CLONE_NEWTIME) == 0 &&
         WriteFile("/proc/self/timens_offsets",
                   absl::StrCat("monotonic ", seconds, " 500000000\n"));
}

enum ChildResult { kRight, kOutside, kNoNamespace, kNotInNamespace };

// ReadInTimeNamespace is for a child of the test's. The grandchild inherits
// what this thread holds, from outside.
ChildResult ReadInTimeNamespace() {
  constexpr int kSeconds = 100'000;
  runtime_now();
  if (!EnterTimeNamespace(kSeconds)) return kNoNamespace;
  const int64_t outside = runtime_nanotime();
  const pid_t child = fork();
  if (child == 0) {
    const int64_t ahead = runtime_now().mono - outside;
    if (ahead < kSeconds * int64_t{1'000'000'000}) _exit(kNotInNamespace);
    Count count = CountOutside(kReadings / 100);
    runtime_timeInit(nullptr);
    count.outside += CountOutside(kReadings / 100).outside;
    _exit(count.outside == 0 ? kRight : kOutside);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? static_cast<ChildResult>(WEXITSTATUS(status))
             : kOutside;
}

TEST_F(PairBracketTest, InATimeNamespace) {
  const pid_t child = fork();
  if (child == 0) _exit(ReadInTimeNamespace());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoNamespace) {
    GTEST_SKIP() << "no time namespace for this user, or on this kernel";
  }
  EXPECT_EQ(WEXITSTATUS(status), kRight);
}

}  // namespace
}  // namespace runtime
