// Readings on stacks of one page beside a guard page, and what they take of
// them.

#include "tests/small_stack.h"

#include <stdint.h>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/abi_reading.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr size_t kPage = 4096;

class SmallStackTest : public RoutesFixture {
 protected:
  void Attach() {
    ASSERT_EQ(runtime_attach(vdso_stack_.stack(), vdso_stack_.size()), 0);
  }

  SmallStack vdso_stack_{RUNTIME_VDSO_STACK_MIN};
  SmallStack small_{kPage};
};

int64_t mono;
runtime_Walltime wall;
runtime_Now now;

void ReadAll() {
  mono = runtime_nanotime();
  wall = runtime_walltime();
  now = runtime_now();
}

void ExpectSane() {
  EXPECT_GT(mono, 0);
  EXPECT_GE(now.mono, mono);
  EXPECT_GE(now.sec, wall.sec);
  EXPECT_GT(wall.sec, 1600000000);
}

TEST_F(SmallStackTest, ReadingsWithoutM) {
  small_.Run(ReadAll);
  ExpectSane();
}

TEST_F(SmallStackTest, ReadingsWithM) {
  Attach();
  small_.Run(ReadAll);
  ExpectSane();
  EXPECT_GT(vdso_stack_.Used(), 0u);
}

AbiCall* call;

// Deep enough that what ends the context does not reach what is measured.
void MakeCall() {
  volatile char unused[768];
  unused[sizeof unused - 1] = 0;
  abi_call(call);
  unused[sizeof unused - 1] = 0;
}

// BytesTaken returns what a reading takes of its caller's stack, the return
// address included.
size_t BytesTaken(const AbiEntryPoint& entry) {
  AbiReading reading(entry, runtime_currentM());
  SmallStack stack(2048);
  call = reading.call();
  stack.Run(MakeCall);
  const auto end = reinterpret_cast<uintptr_t>(stack.stack() + stack.size());
  return call->sp_before - (end - stack.Used());
}

int FailingRoute(int32_t, KernelTimespec*) { return -1; }

TEST_F(SmallStackTest, AReadingTakesLittleOfTheCallersStack) {
  Attach();
  const Route best = runtime_route.in_use.load();
  const RouteList lists[] = {
      {{best}}, kTraps, {{FailingRoute, kTraps.routes[0], kLastTrap}}};
  for (const RouteList& list : lists) {
    for (const AbiEntryPoint& entry : AbiEntryPoints()) {
      SetRoutes(list);
      const size_t bytes = BytesTaken(entry);
      RecordProperty(entry.name, static_cast<int>(bytes));
      EXPECT_LE(bytes, size_t{RUNTIME_READING_STACK}) << entry.name;
      EXPECT_GT(bytes, 2 * sizeof(uintptr_t)) << entry.name;
    }
  }
}

void Nanotime() { runtime_nanotime(); }

// ProbingRoute touches a page below its frame, as the vDSO of a kernel built
// with -fstack-check does (golang/go#20427).
int ProbingRoute(int32_t, KernelTimespec* ts) {
  volatile char probe[kPage];
  probe[0] = 1;
  *ts = {7, probe[0]};
  return 0;
}

TEST_F(SmallStackTest, AVdsoThatProbesAPageFitsTheSmallestStack) {
  Attach();
  SetRoutes({{ProbingRoute}});
  small_.Run(Nanotime);
  EXPECT_EQ(runtime_nanotime(), 7000000001);
  EXPECT_GT(vdso_stack_.Used(), kPage);
}

TEST_F(SmallStackTest, WithoutMItDoesNot) {
  SetRoutes({{ProbingRoute}});
  EXPECT_DEATH(small_.Run(Nanotime), "") << "the guard page guards nothing";
}

int GoodRoute(int32_t, KernelTimespec* ts) {
  *ts = {9, 0};
  return 0;
}

TEST_F(SmallStackTest, TheSlowPathFitsAsWell) {
  Attach();
  SetRoutes({{FailingRoute, GoodRoute}});
  small_.Run(ReadAll);
  EXPECT_EQ(mono, 9000000000);
}

}  // namespace
}  // namespace runtime
