#include "examples/fiber/stack_pool.h"

#include <unistd.h>

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace fibers {
namespace {

TEST(StackPoolTest, GivesEachStackOnce) {
  constexpr int kStacks = 100;
  StackPool pool(kStacks);
  std::vector<Stack> stacks;
  for (int i = 0; i < kStacks; ++i) {
    stacks.push_back(pool.Acquire());
    memset(stacks.back().base, i, kStackSize);
  }
  for (int i = 0; i < kStacks; ++i) {
    EXPECT_EQ(stacks[i].base[0], i);
    EXPECT_EQ(stacks[i].base[kStackSize - 1], i);
  }
}

TEST(StackPoolTest, MeasuresTheGreatestUse) {
  StackPool pool(1);
  Stack stack = pool.Acquire();
  pool.Release(stack);
  EXPECT_EQ(pool.greatest_use(), 0u);

  stack = pool.Acquire();
  stack.base[kStackSize - 100] = 0;
  pool.Release(stack);
  EXPECT_EQ(pool.greatest_use(), 100u);

  // What the last user has written is not the next one's use.
  stack = pool.Acquire();
  stack.base[kStackSize - 10] = 0;
  pool.Release(stack);
  EXPECT_EQ(pool.greatest_use(), 100u);

  stack = pool.Acquire();
  stack.base[0] = 0;
  pool.Release(stack);
  EXPECT_EQ(pool.greatest_use(), kStackSize);
  EXPECT_EQ(pool.broken_canaries(), 0);
}

TEST(StackPoolTest, FindsWhatWasWrittenAboveTheTop) {
  StackPool pool(1);
  Stack stack = pool.Acquire();
  stack.base[kStackSize] = 0;
  pool.Release(stack);
  EXPECT_EQ(pool.broken_canaries(), 1);
  pool.Release(pool.Acquire());
  EXPECT_EQ(pool.broken_canaries(), 1);
}

TEST(StackPoolTest, AnOverflowFaults) {
  StackPool pool(2);
  const Stack stacks[] = {pool.Acquire(), pool.Acquire()};
  for (const Stack& stack : stacks) {
    EXPECT_DEATH(*static_cast<volatile char*>(stack.base - 1) = 0, "");
  }
}

TEST(StackPoolTest, GuardIsThePageBelow) {
  StackPool pool(1);
  const Stack stack = pool.Acquire();
  const long page = sysconf(_SC_PAGESIZE);
  EXPECT_FALSE(stack.GuardHolds(stack.base));
  EXPECT_TRUE(stack.GuardHolds(stack.base - 1));
  EXPECT_TRUE(stack.GuardHolds(stack.base - page));
  EXPECT_FALSE(stack.GuardHolds(stack.base - page - 1));
  EXPECT_FALSE(stack.GuardHolds(nullptr));
}

}  // namespace
}  // namespace fibers
