#include "gtest/gtest.h"
#include "tests/time_h_user.h"

namespace {

TEST(TimeHTest, ServesACProgram) { EXPECT_EQ(UseTimeH(), 0); }

}  // namespace
