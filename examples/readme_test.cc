// The example in the README is examples/embed.cc, which builds.
// Arguments: the two files.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace {

std::string readme;
std::string example;

std::string ReadFile(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ReadmeTest, HoldsTheExample) {
  ASSERT_FALSE(example.empty());
  EXPECT_TRUE(
      absl::StrContains(readme, absl::StrCat("```cpp\n", example, "```\n")));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3) {
    std::cerr << "usage: readme_test README EXAMPLE\n";
    return 2;
  }
  readme = ReadFile(argv[1]);
  example = ReadFile(argv[2]);
  return RUN_ALL_TESTS();
}
