// Initialisation without what it could be told by, and after the vDSO has
// moved.

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/sys/sys.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"
#include "runtime/vdso/vdso_linux.h"
#include "tests/reads_right.h"
#include "tests/routes_fixture.h"
#include "tests/seccomp_filter.h"

namespace runtime {
namespace {

constexpr uid_t kNobody = 65534;
constexpr int kCannot = 77;

class EnvironmentTest : public RoutesFixture {};

TEST_F(EnvironmentTest, ANullStackIsNoStack) {
  EXPECT_GE(runtime_timeInitFromStack(nullptr), 0);
  EXPECT_TRUE(ReadsRight());
}

// Android and hardened systems: /proc/self/auxv belongs to root then.
TEST_F(EnvironmentTest, AProcessThatIsNotDumpable) {
  const auto run = [] {
    if (getuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) {
      _exit(kCannot);
    }
    prctl(PR_SET_DUMPABLE, 0);
    if (open("/proc/self/auxv", O_RDONLY) >= 0) _exit(kCannot);
    _exit(runtime_timeInit(nullptr) == 0 && ReadsRight() ? 0 : 1);
  };
  EXPECT_EXIT(
      run(),
      [](int status) {
        if (WEXITSTATUS(status) == kCannot) {
          std::cerr << "this process can always read its auxv\n";
        }
        return status == 0 || status == kCannot << 8;
      },
      "");
}

TEST_F(EnvironmentTest, WithoutProc) {
  if (!HaveSeccomp()) GTEST_SKIP() << "no seccomp (qemu-user)";
  const auto run = [] {
    if (!InstallFilter({{SYS_openat, SECCOMP_RET_ERRNO | ENOENT}})) _exit(3);
    _exit(runtime_timeInit(nullptr) == 0 && ReadsRight() ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

// Mapping is a line of /proc/self/maps.
struct Mapping {
  uintptr_t start;
  uintptr_t end;
};

// VdsoMappings returns where the vDSO and its data are, lowest first.
std::vector<Mapping> VdsoMappings() {
  std::vector<Mapping> mappings;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (!absl::StrContains(line, "[vdso]") &&
        !absl::StrContains(line, "[vvar")) {
      continue;
    }
    Mapping mapping;
    char* end;
    mapping.start = strtoul(line.c_str(), &end, 16);
    mapping.end = strtoul(end + 1, nullptr, 16);
    mappings.push_back(mapping);
  }
  return mappings;
}

// Mremap moves memory to a place. On 386 libc enters the kernel through the
// vDSO, which is what moves.
bool Mremap(const Mapping& from, uintptr_t to) {
  const size_t size = from.end - from.start;
#ifdef __i386__
  uintptr_t result = __NR_mremap;
  __asm__ volatile("int $0x80"
                   : "+a"(result)
                   : "b"(from.start), "c"(size), "d"(size),
                     "S"(MREMAP_MAYMOVE | MREMAP_FIXED), "D"(to)
                   : "memory");
  return result == to;
#else
  return syscall(SYS_mremap, from.start, size, size,
                 MREMAP_MAYMOVE | MREMAP_FIXED, to) == static_cast<long>(to);
#endif
}

// MoveVdso moves all of it by the same distance, as checkpoint tools do, and
// returns that, or 0.
uintptr_t MoveVdso() {
  const std::vector<Mapping> mappings = VdsoMappings();
  if (mappings.empty()) return 0;
  const uintptr_t low = mappings.front().start;
  void* const place = mmap(nullptr, mappings.back().end - low, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return 0;
  const uintptr_t distance = reinterpret_cast<uintptr_t>(place) - low;
  for (const Mapping& mapping : mappings) {
    if (!Mremap(mapping, mapping.start + distance)) return 0;
  }
  return distance;
}

enum MoveStatus { kGood, kNotMoved, kNotFound, kStaleFound, kWrong };

[[noreturn]] void ExitPlainly(int status) {
  PlainSyscall(__NR_exit_group, status, 0, 0, 0);
  __builtin_trap();
}

TEST_F(EnvironmentTest, AfterTheVdsoHasMoved) {
  const uintptr_t old_base = getauxval(AT_SYSINFO_EHDR);
  if (old_base == 0) GTEST_SKIP() << "no vDSO here";
  const auto run = [old_base] {
    const uintptr_t distance = MoveVdso();
    if (distance == 0) ExitPlainly(kNotMoved);
    // Nothing may be read, and libc not be called, before this.
    if (InitFromSysinfoEhdr(old_base) != 0) ExitPlainly(kStaleFound);
    if (!ReadsRight()) ExitPlainly(kWrong);
    if (InitFromSysinfoEhdr(old_base + distance) != 1) ExitPlainly(kNotFound);
    if (!ReadsRight()) ExitPlainly(kWrong);
    if (!inVDSOPage(reinterpret_cast<uintptr_t>(runtime_route.in_use.load()))) {
      ExitPlainly(kWrong);
    }
    ExitPlainly(kGood);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(kGood), "");
}

}  // namespace
}  // namespace runtime
