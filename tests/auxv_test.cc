// The auxiliary vector, from three sources: made-up stacks, made-up vectors,
// and this process's own.

#include "runtime/sys/auxv.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/fault_catcher.h"
#include "tests/guarded_pages.h"

namespace runtime {
namespace {

// Stack is words as a process finds them, with nothing accessible behind them.
class Stack {
 public:
  explicit Stack(const std::vector<uintptr_t>& words)
      : pages_(words.size() * sizeof(uintptr_t)) {
    memcpy(pages_.start(), words.data(), pages_.size());
  }

  const void* start() const { return pages_.start(); }

  // Auxv returns the index of the word where AuxvFromStack finds the vector, 0
  // if it finds none, or -1 if it faults.
  ptrdiff_t Auxv() const {
    const AuxvEntry* auxv = nullptr;
    if (Faults([this, &auxv] { auxv = AuxvFromStack(start()); })) return -1;
    if (auxv == nullptr) return 0;
    return reinterpret_cast<const uintptr_t*>(auxv) -
           static_cast<const uintptr_t*>(start());
  }

 private:
  GuardedPages pages_;
};

struct StackRow {
  const char* name;
  std::vector<uintptr_t> words;
  ptrdiff_t want;  // as Stack::Auxv has it
};

const StackRow kStackRows[] = {
    {"ArgumentsAndEnvironment",
     {2, 0xa1, 0xa2, 0, 0xe1, 0xe2, 0, AT_PAGESZ, 4096, AT_NULL, 0},
     7},
    {"NoArguments", {0, 0, 0xe1, 0, AT_NULL, 0}, 4},
    {"NoEnvironment", {1, 0xa1, 0, 0, AT_PAGESZ, 4096, AT_NULL, 0}, 4},
    {"Nothing", {0, 0, 0, AT_NULL, 0}, 3},
    {"EmptyVectorAtTheVeryEnd", {0, 0, 0}, 3},
    {"CountTooSmall", {1, 0xa1, 0xa2, 0, 0xe1, 0, AT_NULL, 0}, 0},
    {"CountTooLarge", {2, 0xa1, 0, 0xe1, 0, AT_NULL, 0}, 0},
    {"ArgumentsNotTerminated", {1, 0xa1, 0xe1, 0xe2, 0, AT_NULL, 0}, 0},
    // Numbers that cannot be counts of arguments.
    {"CountMax", {UINTPTR_MAX, 0xa1, 0}, 0},
    {"CountNegative", {static_cast<uintptr_t>(-2), 0xa1, 0}, 0},
    {"CountHuge", {(uintptr_t{6} << 20) + 1, 0xa1, 0}, 0},
    // Ends where memory does.
    {"OnlyACount", {2}, 0},
    {"ArgumentsRunOut", {2, 0xa1, 0xa2}, 0},
    {"EnvironmentRunsOut", {1, 0xa1, 0, 0xe1}, 0},
    // Numbers that can, but that lead away from this stack.
    {"CountBeyondStack", {1000, 0xa1, 0, 0xe1, 0, AT_NULL, 0}, 0},
    {"CountAtLimit", {uintptr_t{6} << 20, 0xa1, 0, 0xe1, 0, AT_NULL, 0}, 0},
};

TEST(AuxvFromStackTest, Rows) {
  for (const StackRow& row : kStackRows) {
    EXPECT_EQ(Stack(row.words).Auxv(), row.want) << row.name;
  }
}

TEST(AuxvFromStackTest, MisalignedStack) {
  alignas(uintptr_t) char stack[64] = {};
  EXPECT_EQ(AuxvFromStack(stack + 1), nullptr);
}

// The vector ends where memory does, without its AT_NULL.
TEST(AuxvValueTest, VectorThatRunsOut) {
  const uintptr_t words[] = {AT_PAGESZ, 4096, AT_SECURE};
  for (const size_t count : {0, 1, 2, 3}) {
    const GuardedPages pages(count * sizeof(uintptr_t));
    memcpy(pages.start(), words, pages.size());
    const auto* auxv = reinterpret_cast<const AuxvEntry*>(pages.start());
    uintptr_t value = 1;
    EXPECT_FALSE(
        Faults([&value, auxv] { value = AuxvValue(auxv, AT_SYSINFO_EHDR); }));
    EXPECT_EQ(value, 0u);
  }
}

TEST(AuxvValueTest, NoVectorAtAll) {
  for (const uintptr_t address :
       {uintptr_t{1}, uintptr_t{8}, uintptr_t{0x10001}, ~uintptr_t{15}}) {
    const auto* auxv = reinterpret_cast<const AuxvEntry*>(address);
    uintptr_t value = 1;
    EXPECT_FALSE(
        Faults([&value, auxv] { value = AuxvValue(auxv, AT_PAGESZ); }));
    EXPECT_EQ(value, 0u);
  }
}

TEST(AuxvFromStackTest, NoStack) { EXPECT_EQ(AuxvFromStack(nullptr), nullptr); }

TEST(AuxvFromStackTest, ManyArguments) {
  std::vector<uintptr_t> words = {20000};
  words.insert(words.end(), 20000, 0xa1);
  words.push_back(0);
  words.insert(words.end(), 30000, 0xe1);
  words.push_back(0);
  words.insert(words.end(), {AT_NULL, 0});
  EXPECT_EQ(Stack(words).Auxv(), 50003);
}

// The real one: environ is an array of this process's initial stack, unless
// somebody has called setenv.
TEST(AuxvFromStackTest, EnvironmentOfThisProcess) {
#ifdef __arm__
  GTEST_SKIP() << "glibc's _start has written over argc";
#endif
  const auto* envp = reinterpret_cast<const uintptr_t*>(environ);
  // setenv moves it to the heap. AT_RANDOM points to the stack above it.
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const auto address = reinterpret_cast<uintptr_t>(envp);
  if (address < here || address > getauxval(AT_RANDOM)) {
    GTEST_SKIP() << "environ is not on the initial stack";
  }
  size_t args = 0;
  while (args < 1000 && envp[-2 - static_cast<ptrdiff_t>(args)] != args) ++args;
  ASSERT_LT(args, 1000u);
  const AuxvEntry* auxv = AuxvFromStack(envp - 2 - args);
  ASSERT_NE(auxv, nullptr);
  EXPECT_EQ(AuxvValue(auxv, AT_PAGESZ), getauxval(AT_PAGESZ));
  EXPECT_EQ(AuxvValue(auxv, AT_RANDOM), getauxval(AT_RANDOM));
  EXPECT_EQ(AuxvValue(auxv, AT_SYSINFO_EHDR), getauxval(AT_SYSINFO_EHDR));
}

TEST(AuxvValueTest, FirstEntryOfTheTypeWins) {
  const AuxvEntry auxv[] = {
      {AT_PAGESZ, 1}, {AT_BASE, 2}, {AT_PAGESZ, 3}, {AT_NULL, 0}};
  EXPECT_EQ(AuxvValue(auxv, AT_PAGESZ), 1u);
  EXPECT_EQ(AuxvValue(auxv, AT_BASE), 2u);
  EXPECT_EQ(AuxvValue(auxv, AT_ENTRY), 0u);
}

TEST(AuxvValueTest, NullStops) {
  const AuxvEntry auxv[] = {{AT_BASE, 1}, {AT_NULL, 7}, {AT_PAGESZ, 2}};
  EXPECT_EQ(AuxvValue(auxv, AT_BASE), 1u);
  EXPECT_EQ(AuxvValue(auxv, AT_PAGESZ), 0u);
  EXPECT_EQ(AuxvValue(auxv, AT_NULL), 0u);
}

TEST(AuxvValueTest, IgnoredEntriesAreSkipped) {
  const AuxvEntry auxv[] = {{AT_IGNORE, 1}, {AT_PAGESZ, 2}, {AT_NULL, 0}};
  EXPECT_EQ(AuxvValue(auxv, AT_PAGESZ), 2u);
}

TEST(AuxvValueTest, UnterminatedVectorIsBounded) {
  const GuardedPages pages(kMaxAuxvEntries * sizeof(AuxvEntry));
  auto* auxv = reinterpret_cast<AuxvEntry*>(pages.start());
  for (size_t i = 0; i < kMaxAuxvEntries; ++i) auxv[i] = {AT_IGNORE, i};
  uintptr_t value = 1;
  const auto read = [auxv, &value] { value = AuxvValue(auxv, AT_PAGESZ); };
  EXPECT_FALSE(Faults(read));
  EXPECT_EQ(value, 0u);
  auxv[kMaxAuxvEntries - 1] = {AT_PAGESZ, 4096};
  EXPECT_FALSE(Faults(read));
  EXPECT_EQ(value, 4096u);
}

// ProcAuxv is an array for ReadProcAuxv, filled with what must not stay.
class ProcAuxv {
 public:
  ProcAuxv() : pages_(kMaxAuxvEntries * sizeof(AuxvEntry)) {
    memset(pages_.start(), 0x5a, pages_.size());
  }
  AuxvEntry* entries() const {
    return reinterpret_cast<AuxvEntry*>(pages_.start());
  }

 private:
  GuardedPages pages_;
};

TEST(ReadProcAuxvTest, AgreesWithGetauxval) {
  if (access("/proc/self/auxv", R_OK) != 0) {
    GTEST_SKIP() << "/proc/self/auxv cannot be read here";
  }
  const ProcAuxv auxv;
  ASSERT_TRUE(ReadProcAuxv(auxv.entries()));
  for (const uintptr_t type :
       {AT_PAGESZ, AT_SYSINFO_EHDR, AT_RANDOM, AT_PHDR, AT_ENTRY}) {
    EXPECT_EQ(AuxvValue(auxv.entries(), type), getauxval(type)) << type;
  }
  size_t length = 0;
  while (length < kMaxAuxvEntries && auxv.entries()[length].type != AT_NULL) {
    ++length;
  }
  EXPECT_LT(length, kMaxAuxvEntries);
}

TEST(ReadProcAuxvTest, ClosesWhatItOpens) {
  const int before = dup(0);
  ASSERT_GE(before, 0);
  close(before);
  const ProcAuxv auxv;
  ReadProcAuxv(auxv.entries());
  const int after = dup(0);
  close(after);
  EXPECT_EQ(after, before);
}

// What a child makes of a /proc/self/auxv that it cannot open.
enum Outcome { kFailedEmpty, kWrong, kNotPrepared, kStillThere };

Outcome Read() {
  const ProcAuxv auxv;
  const bool ok = ReadProcAuxv(auxv.entries());
  return !ok && auxv.entries()[0].type == AT_NULL ? kFailedEmpty : kWrong;
}

Outcome ReadWithoutDescriptors(const char*) {
  const rlimit none = {0, 0};
  return setrlimit(RLIMIT_NOFILE, &none) == 0 ? Read() : kNotPrepared;
}

Outcome ReadInRoot(const char* directory) {
  if (chroot(directory) != 0) return kNotPrepared;
  if (open("/proc/self/auxv", O_RDONLY) >= 0) return kStillThere;
  return Read();
}

int InChild(Outcome (*body)(const char*), const char* directory) {
  const pid_t child = fork();
  if (child == 0) _exit(body(directory));
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return kNotPrepared;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kWrong;
}

TEST(ReadProcAuxvTest, NoDescriptorLeft) {
  EXPECT_EQ(InChild(ReadWithoutDescriptors, ""), kFailedEmpty);
}

TEST(ReadProcAuxvTest, NoProc) {
  std::string directory = testing::TempDir() + "/auxv_test.XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  const int outcome = InChild(ReadInRoot, directory.c_str());
  rmdir(directory.c_str());
  if (outcome == kNotPrepared) GTEST_SKIP() << "chroot is not permitted";
  // qemu-user makes the file up, wherever the root is.
  if (outcome == kStillThere) GTEST_SKIP() << "an emulator has its own /proc";
  EXPECT_EQ(outcome, kFailedEmpty);
}

}  // namespace
}  // namespace runtime
