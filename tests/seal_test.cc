// The pages that hold what readings call: a stray write to them faults.

#include "runtime/sys/seal.h"

#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>

#include <atomic>
#include <thread>  // NOLINT(build/c++11)

#include "gtest/gtest.h"
#include "runtime/sys/sys.h"
#include "runtime/time/candidates.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"
#include "tests/fault_catcher.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

// Rewrite writes what is there already. A sanitizer must not know of it.
__attribute__((no_sanitize("address", "thread"))) void Rewrite(
    volatile char* byte) {
  *byte = *byte;
}

// Overwrites tells whether a stray write to address goes through.
bool Overwrites(const void* address) {
  volatile char* byte =
      const_cast<char*>(static_cast<const volatile char*>(address));
  return !Faults([byte] { Rewrite(byte); });
}

bool CanBeSealed() {
  return RUNTIME_SEAL_PAGE != 0 && getauxval(AT_PAGESZ) <= RUNTIME_SEAL_PAGE;
}

class SealTest : public RoutesFixture {
 protected:
  static void ExpectSealed() {
    EXPECT_EQ(RoutesAreSealed(), CanBeSealed());
    const char* const page = reinterpret_cast<const char*>(&runtime_route);
    for (size_t i = 0; i < sizeof(RoutePage); i += sizeof(Route)) {
      ASSERT_EQ(Overwrites(page + i), !CanBeSealed()) << "byte " << i;
    }
#ifdef __i386__
    EXPECT_EQ(Overwrites(&runtime_sysVsyscall), !CanBeSealed());
#endif
  }
};

TEST_F(SealTest, TheRoutesHaveAPageOfTheirOwn) {
  if (RUNTIME_SEAL_PAGE == 0) GTEST_SKIP() << "switched off by the build";
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&runtime_route) % RUNTIME_SEAL_ALIGN,
            0u);
  EXPECT_EQ(sizeof(RoutePage), size_t{RUNTIME_SEAL_PAGE});
#ifdef __i386__
  EXPECT_EQ(
      reinterpret_cast<uintptr_t>(&runtime_sysVsyscall) % RUNTIME_SEAL_ALIGN,
      0u);
#endif
}

TEST_F(SealTest, SealedBeforeMain) { ExpectSealed(); }

TEST_F(SealTest, NeighboursAreNot) {
  EXPECT_TRUE(Overwrites(reinterpret_cast<const char*>(&runtime_route) +
                         sizeof(RoutePage)));
}

TEST_F(SealTest, SealedAfterAnotherInitialisation) {
  InitFromSysinfoEhdr(0);
  ExpectSealed();
  InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
  ExpectSealed();
  runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
  ExpectSealed();
}

TEST_F(SealTest, SealedAfterADemotion) {
  ASSERT_TRUE(SetRoutes({{[](int32_t, KernelTimespec*) { return -1; },
                          kTraps.routes[0], kTraps.routes[1]}}));
  const uint32_t before = RouteDemotions();
  for (int i = 0; i < 10; ++i) runtime_nanotime();
  EXPECT_EQ(RouteDemotions(), before + 1);
  ExpectSealed();
}

// The check of this file tells a page that was left open.
TEST_F(SealTest, AnOpenPageIsSeen) {
  ASSERT_TRUE(RouteLock()->Lock());
  ASSERT_TRUE(OpenRoutes());
  EXPECT_FALSE(RoutesAreSealed());
  EXPECT_TRUE(Overwrites(&runtime_route));
  CloseRoutes();
  RouteLock()->Unlock();
  ExpectSealed();
}

// Nobody finds the page closed who has opened it, whatever the others do.
TEST_F(SealTest, ManyAtTheSameTime) {
  std::atomic<bool> stop{false};
  std::thread reader([&stop] {
    while (!stop.load()) EXPECT_GT(runtime_nanotime(), 0);
  });
  std::thread writers[3];
  for (std::thread& writer : writers) {
    writer = std::thread([] {
      for (int i = 0; i < 50; ++i) {
        SetRoutes({{[](int32_t, KernelTimespec*) { return -1; },
                    kTraps.routes[0], kTraps.routes[1]}});
        for (int j = 0; j < 5; ++j) runtime_nanotime();
        InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop.store(true);
  reader.join();
  ExpectSealed();
}

}  // namespace
}  // namespace runtime
