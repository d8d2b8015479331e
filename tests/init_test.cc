// Initialisation: every way to be told where the vDSO is, and none.

#include <elf.h>
#include <sys/auxv.h>

#include <thread>  // NOLINT(build/c++11)
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sys/auxv.h"
#include "runtime/time/candidates.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// Before main, by a constructor that runs after the library's own.
Route route_in_constructor;
int64_t read_in_constructor;
__attribute__((constructor(200))) void EarlyReader() {
  route_in_constructor = runtime_route.in_use.load();
  read_in_constructor = runtime_nanotime();
}

class InitTest : public RoutesFixture {
 protected:
  static bool HaveVdso() { return getauxval(AT_SYSINFO_EHDR) != 0; }
  static bool UsesVdso() { return !IsTrap(runtime_route.in_use.load()); }

  static void ExpectReads() {
    const int64_t before = runtime_nanotime();
    EXPECT_GT(before, 0);
    EXPECT_LE(before, runtime_now().mono);
  }
};

TEST_F(InitTest, HostedProgramIsReadyBeforeMain) {
  EXPECT_EQ(UsesVdso(), HaveVdso());
  EXPECT_EQ(route_in_constructor, runtime_route.in_use.load());
  EXPECT_GT(read_in_constructor, 0);
  EXPECT_EQ(
      inVDSOPage(reinterpret_cast<uintptr_t>(runtime_route.in_use.load())),
      HaveVdso());
}

TEST_F(InitTest, GivenAuxv) {
  const AuxvEntry auxv[] = {{AT_PAGESZ, 4096},
                            {AT_SYSINFO_EHDR, getauxval(AT_SYSINFO_EHDR)},
                            {AT_NULL, 0}};
  SetRoutes(kTraps);
  EXPECT_EQ(runtime_timeInit(auxv), HaveVdso() ? 1 : 0);
  EXPECT_EQ(UsesVdso(), HaveVdso());
  ExpectReads();
}

TEST_F(InitTest, GivenInitialStack) {
  char name[] = "program";
  std::vector<uintptr_t> stack = {1,
                                  reinterpret_cast<uintptr_t>(name),
                                  0,  // argc, argv
                                  reinterpret_cast<uintptr_t>(name),
                                  0,  // envp
                                  AT_SYSINFO_EHDR,
                                  getauxval(AT_SYSINFO_EHDR),
                                  AT_NULL,
                                  0};
  SetRoutes(kTraps);
  EXPECT_EQ(runtime_timeInitFromStack(stack.data()), HaveVdso() ? 1 : 0);
  ExpectReads();
}

TEST_F(InitTest, FromProc) {
  AuxvEntry entries[kMaxAuxvEntries];
  const bool in_proc =
      ReadProcAuxv(entries) && AuxvValue(entries, AT_SYSINFO_EHDR) != 0;
  SetRoutes(kTraps);
  EXPECT_EQ(runtime_timeInit(nullptr), in_proc ? 1 : 0);
  ExpectReads();
}

TEST_F(InitTest, WithoutVdsoReadsByTheTrap) {
  const AuxvEntry missing[] = {{AT_PAGESZ, 4096}, {AT_NULL, 0}};
  const AuxvEntry zero[] = {{AT_SYSINFO_EHDR, 0}, {AT_NULL, 0}};
  const AuxvEntry ignored[] = {{AT_IGNORE, 4096}, {AT_NULL, 0}};
  const AuxvEntry empty[] = {{AT_NULL, 0}};
  for (const AuxvEntry* auxv : {missing, zero, ignored, empty}) {
    EXPECT_EQ(runtime_timeInit(auxv), 0);
    EXPECT_FALSE(UsesVdso());
    ExpectReads();
  }
  EXPECT_FALSE(inVDSOPage(reinterpret_cast<uintptr_t>(runtime_nanotime)));
}

TEST_F(InitTest, TwiceAndAtTheSameTimeBesideReadings) {
  std::thread threads[4];
  for (std::thread& thread : threads) {
    thread = std::thread([] {
      for (int j = 0; j < 100; ++j) {
        InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
        ExpectReads();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(UsesVdso(), HaveVdso());
}

}  // namespace
}  // namespace runtime
