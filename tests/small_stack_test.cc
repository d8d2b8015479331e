// Readings on stacks of one page beside a guard page, and what they take of
// them.

#include "tests/small_stack.h"

#include <stdint.h>

#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
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

void Nothing() {}

// Entered directly, so that nothing but the entry point's own use is measured.
void Nanotime() { runtime_nanotime(); }

TEST_F(SmallStackTest, AReadingTakesLittleOfTheCallersStack) {
  Attach();
  SmallStack empty(kPage);
  empty.Run(Nothing);
  small_.Run(reinterpret_cast<void (*)()>(&runtime_nanotime));
  EXPECT_LE(small_.Used() - empty.Used(), size_t{RUNTIME_READING_STACK});
}

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

int FailingRoute(int32_t, KernelTimespec*) { return -1; }
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
