// The guarded clock: never back, in no thread, whatever the clock does.

#include "runtime/time/guard.h"

#include <stdint.h>

#include <atomic>
#include <thread>  // NOLINT(build/c++11)
#include <vector>

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// The routes here are ahead of the machine's clock: what this process has
// returned already is returned no more.
constexpr int64_t kSec = 8'000'000'000;

std::atomic<int64_t> fake_ns;

int FakeRoute(int32_t, KernelTimespec* ts) {
  const int64_t ns = fake_ns.load();
  *ts = {kSec + ns / 1'000'000'000, ns % 1'000'000'000};
  return 0;
}

// JitteringRoute goes back by up to a microsecond every other time.
int JitteringRoute(int32_t, KernelTimespec* ts) {
  const int64_t ns = 1'000'000'000 + fake_ns.fetch_add(7) + ts->sec % 2;
  const int64_t back = ns % 2 == 0 ? 0 : ns % 1000;
  *ts = {kSec + (ns - back) / 1'000'000'000, (ns - back) % 1'000'000'000};
  return 0;
}

class GuardTest : public RoutesFixture {};

// In this order: a process has one guard. This machine's clock comes first.

TEST_F(GuardTest, IsTheClockWhereThatIsGood) {
  const uint32_t steps = runtime_nanotimeBackSteps();
  int64_t last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const int64_t before = runtime_nanotime();
    const int64_t guarded = runtime_nanotimeGuarded();
    const int64_t after = runtime_nanotime();
    EXPECT_LE(before, guarded);
    EXPECT_LE(guarded, after);
    EXPECT_LE(last, guarded);
    last = guarded;
  }
  EXPECT_EQ(runtime_nanotimeBackSteps(), steps);
}

TEST_F(GuardTest, OtherThreadsAreNoBackSteps) {
  const uint32_t steps = runtime_nanotimeBackSteps();
  std::atomic<int> backwards{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&backwards] {
      int64_t last = 0;
      for (int j = 0; j < 50'000; ++j) {
        const int64_t now = runtime_nanotimeGuarded();
        if (now < last) ++backwards;
        last = now;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(backwards.load(), 0);
  EXPECT_EQ(runtime_nanotimeBackSteps(), steps);
}

TEST_F(GuardTest, StandsStillWhileTheClockIsBehind) {
  SetRoutes({{FakeRoute}});
  constexpr int64_t kBase = kSec * 1'000'000'000;
  const uint32_t steps = runtime_nanotimeBackSteps();
  const auto at = [](int64_t ns) {
    fake_ns.store(ns);
    return runtime_nanotimeGuarded() - kBase;
  };
  EXPECT_EQ(at(100), 100);
  EXPECT_EQ(at(100), 100);
  EXPECT_EQ(runtime_nanotimeBackSteps() - steps, 0u);
  EXPECT_EQ(at(99), 100);
  EXPECT_EQ(runtime_nanotimeBackSteps() - steps, 1u);
  EXPECT_EQ(at(-1'000'000'000), 100);
  EXPECT_EQ(runtime_nanotimeBackSteps() - steps, 2u);
  EXPECT_EQ(at(100), 100);
  EXPECT_EQ(at(101), 101);
  EXPECT_EQ(runtime_nanotimeBackSteps() - steps, 2u);
}

// The clock itself does go back, for those who do not ask for the guard.
TEST_F(GuardTest, IsAskedFor) {
  SetRoutes({{FakeRoute}});
  fake_ns.store(500);
  const int64_t first = runtime_nanotime();
  fake_ns.store(400);
  EXPECT_EQ(runtime_nanotime(), first - 100);
}

// What one thread has returned, no other thread's later call is behind.
TEST_F(GuardTest, HoldsBetweenThreads) {
  fake_ns.store(0);
  SetRoutes({{JitteringRoute}});
  const uint32_t steps = runtime_nanotimeBackSteps();
  std::atomic<int64_t> returned{0};
  std::atomic<int> behind{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&returned, &behind] {
      for (int j = 0; j < 50'000; ++j) {
        const int64_t before = returned.load();
        const int64_t now = runtime_nanotimeGuarded();
        if (now < before) ++behind;
        int64_t last = returned.load();
        while (now > last && !returned.compare_exchange_weak(last, now)) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(behind.load(), 0);
  EXPECT_GT(runtime_nanotimeBackSteps(), steps);
}

}  // namespace
}  // namespace runtime
