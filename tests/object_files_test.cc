// What the linker and unwinders will find in the object files of the core.
// Arguments: readelf's report on the core, and on an object that is all wrong.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/object_report.h"

namespace runtime {
namespace {

std::vector<ObjectReport> core;
std::vector<ObjectReport> wrong;

std::vector<ObjectReport> ReadReport(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return ParseReadelf(text.str());
}

bool IsAssembly(const ObjectReport& object) {
  return absl::StrContains(object.name, "(sys_linux_") ||
         absl::StrContains(object.name, "(time_linux_");
}

TEST(ObjectFilesTest, NoExecutableStackAndNoOpenSymbol) {
  ASSERT_GT(core.size(), 5u);
  for (const ObjectReport& object : core) {
    EXPECT_EQ(absl::StrJoin(ObjectFaults(object), ", "), "") << object.name;
  }
}

TEST(ObjectFilesTest, EveryAssemblyFunctionHasUnwindData) {
  int assembly = 0;
  for (const ObjectReport& object : core) {
    if (!IsAssembly(object)) continue;
    ++assembly;
    EXPECT_EQ(absl::StrJoin(FrameFaults(object), ", "), "") << object.name;
    EXPECT_FALSE(object.symbols.empty());
  }
  EXPECT_GE(assembly, 2);
}

TEST(ObjectFilesTest, AssemblyIsMarkedForBranchProtection) {
#ifdef __arm__
  GTEST_SKIP() << "arm has no such mark";
#endif
  for (const ObjectReport& object : core) {
    if (!IsAssembly(object)) continue;
    EXPECT_TRUE(object.property_note) << object.name;
  }
}

// IsInstrumentation tells whether a sanitizer or coverage has brought a symbol
// in.
bool IsInstrumentation(const std::string& name) {
  for (const char* prefix : {"__asan_", "__gcov_", "__sanitizer_", "__tsan_",
                             "__ubsan_", "llvm_gc"}) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  return false;
}

TEST(ObjectFilesTest, TheCoreNeedsNoSymbolButItsOwn) {
  const std::vector<std::string> missing = MissingSymbols(core);
  if (std::any_of(missing.begin(), missing.end(), IsInstrumentation)) {
    GTEST_SKIP() << "instrumented";
  }
  EXPECT_EQ(absl::StrJoin(missing, ", "), "") << "of libc or libgcc";
}

TEST(ObjectFilesTest, TheCheckersFindWhatIsWrong) {
  ASSERT_FALSE(wrong.empty());  // one object, or with and without -fPIC
  for (const ObjectReport& object : wrong) {
    EXPECT_EQ(absl::StrJoin(ObjectFaults(object), ", "),
              "no .note.GNU-stack, open symbol wrong_function");
    EXPECT_EQ(absl::StrJoin(FrameFaults(object), ", "),
              "no frame for wrong_function");
    EXPECT_FALSE(object.property_note);
  }
  EXPECT_EQ(absl::StrJoin(MissingSymbols(wrong), ", "), "wrong_reference");
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3) {
    std::cerr << "usage: object_files_test CORE_REPORT WRONG_REPORT\n";
    return 2;
  }
  runtime::core = runtime::ReadReport(argv[1]);
  runtime::wrong = runtime::ReadReport(argv[2]);
  return RUN_ALL_TESTS();
}
