// Any clock as nanoseconds: the kernel's time, its errors, and the edges of 64
// bits.

#include "runtime/time/clocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"
#include "runtime/time/candidates.h"
#include "runtime/time/route.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr int kUnwritten = 12345;
constexpr int64_t kNanosPerSecond = 1'000'000'000;

struct Clock {
  const char* name;
  int32_t clockid;
  int64_t (*own)(int*);  // nullptr: it has no entry point of its own
};

constexpr Clock kClocks[] = {
    {"Realtime", CLOCK_REALTIME, runtime_realtimeNs},
    {"Monotonic", CLOCK_MONOTONIC, runtime_monotonicNs},
    {"MonotonicRaw", CLOCK_MONOTONIC_RAW, runtime_monotonicRawNs},
    {"RealtimeCoarse", CLOCK_REALTIME_COARSE, runtime_realtimeCoarseNs},
    {"MonotonicCoarse", CLOCK_MONOTONIC_COARSE, runtime_monotonicCoarseNs},
    {"Boottime", CLOCK_BOOTTIME, runtime_boottimeNs},
    {"Tai", CLOCK_TAI, runtime_taiNs},
    {"ProcessCpu", CLOCK_PROCESS_CPUTIME_ID, nullptr},
    {"ThreadCpu", CLOCK_THREAD_CPUTIME_ID, nullptr},
};

// OfFile is the clock of an open file, and with a negative number in its place
// that of a process or thread. Source: clock_gettime(2), "Dynamic clocks".
constexpr int32_t OfFile(int fd) { return ~fd * 8 + 3; }

// Raw asks the kernel itself.
int64_t Raw(int32_t clockid) {
  for (const Route trap : kTraps.routes) {
    KernelTimespec ts;
    if (trap != nullptr && trap(clockid, &ts) == 0) {
      return ts.sec * kNanosPerSecond + ts.nsec;
    }
  }
  ADD_FAILURE() << "no trap reads clock " << clockid;
  return 0;
}

class ClocksTest : public RoutesFixture,
                   public testing::WithParamInterface<Clock> {
 protected:
  // CountOutside holds readings between two of the kernel's own.
  template <typename Read>
  static int CountOutside(Read read) {
    constexpr int kRounds = 20'000;
    int outside = 0;
    for (int i = 0; i < kRounds; ++i) {
      int error = kUnwritten;
      const int64_t before = Raw(GetParam().clockid);
      const int64_t ours = read(&error);
      const int64_t after = Raw(GetParam().clockid);
      if (error != 0) ++outside;
      if (before <= after && (ours < before || ours > after)) ++outside;
    }
    return outside;
  }
};

TEST_P(ClocksTest, IsBracketed) {
  const int32_t clockid = GetParam().clockid;
  EXPECT_EQ(CountOutside([clockid](int* error) {
              return runtime_clockNs(clockid, error);
            }),
            0);
}

TEST_P(ClocksTest, IsBracketedByItsOwnEntryPoint) {
  if (GetParam().own == nullptr) GTEST_SKIP() << "it has none";
  EXPECT_EQ(CountOutside(GetParam().own), 0);
}

TEST_P(ClocksTest, IsBracketedForM) {
  const int32_t clockid = GetParam().clockid;
  alignas(16) static char stack[RUNTIME_VDSO_STACK_MIN];
  runtime_M own;
  ASSERT_EQ(runtime_initM(&own, stack, sizeof stack), 0);
  for (runtime_M* const m : {&own, static_cast<runtime_M*>(nullptr)}) {
    EXPECT_EQ(CountOutside([m, clockid](int* error) {
                return runtime_clockNsM(m, clockid, error);
              }),
              0);
  }
  EXPECT_EQ(own.vdsoFP, 0u);
}

TEST_P(ClocksTest, IsBracketedByTheTrap) {
  SetRoutes(kTraps);
  const int32_t clockid = GetParam().clockid;
  EXPECT_EQ(CountOutside([clockid](int* error) {
              return runtime_clockNs(clockid, error);
            }),
            0);
}

TEST_P(ClocksTest, NeedsNoError) {
  EXPECT_GT(runtime_clockNs(GetParam().clockid, nullptr), 0);
  if (GetParam().own != nullptr) {
    EXPECT_GT(GetParam().own(nullptr), 0);
  }
}

TEST_P(ClocksTest, HasTheResolutionThatTheKernelTells) {
  timespec expected;
  ASSERT_EQ(clock_getres(GetParam().clockid, &expected), 0);
  int error = kUnwritten;
  EXPECT_EQ(runtime_clockResNs(GetParam().clockid, &error),
            expected.tv_sec * kNanosPerSecond + expected.tv_nsec);
  EXPECT_EQ(error, 0);
  EXPECT_GT(runtime_clockResNs(GetParam().clockid, nullptr), 0);
}

INSTANTIATE_TEST_SUITE_P(Clocks, ClocksTest, testing::ValuesIn(kClocks),
                         [](const auto& info) { return info.param.name; });

class ClockErrorsTest : public RoutesFixture {};

// ExpectAsTheKernel compares both answers for a clock that may not be there.
void ExpectAsTheKernel(int32_t clockid) {
  SCOPED_TRACE(clockid);
  timespec ts;
  errno = 0;
  const int expected = clock_gettime(clockid, &ts) == 0 ? 0 : -errno;
  int error = kUnwritten;
  const int64_t ns = runtime_clockNs(clockid, &error);
  EXPECT_EQ(error, expected);
  EXPECT_EQ(ns == INT64_MIN, expected != 0);
  errno = 0;
  // Past the vDSO, which may know a resolution for a clock that is not there.
  const int expected_res =
      syscall(SYS_clock_getres, clockid, nullptr) == 0 ? 0 : -errno;
  runtime_clockResNs(clockid, &error);
  EXPECT_EQ(error, expected_res);
}

TEST_F(ClockErrorsTest, AreTheKernels) {
  // Ids that mean nothing, others' processes and threads, closed files, and
  // what newer kernels may have.
  for (const int32_t clockid :
       {10, 12, 15, 16, 99, INT32_MAX, INT32_MIN, -1, -2, -3, -6, -1003,
        OfFile(1'000'000), OfFile(0) - 1, OfFile(1) + 3}) {
    ExpectAsTheKernel(clockid);
  }
}

TEST_F(ClockErrorsTest, AreTheKernelsByTheTrapsAsWell) {
  runtime_forceRoute(RUNTIME_ROUTE_SYSCALL);
  for (const int32_t clockid : {10, 99, -1, INT32_MIN, OfFile(1'000'000)}) {
    ExpectAsTheKernel(clockid);
  }
}

// A clock of an open file that is none: what the kernel says of it.
TEST_F(ClockErrorsTest, OfAFileThatIsNoClock) {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  int error = kUnwritten;
  EXPECT_EQ(runtime_clockNs(OfFile(fd), &error), INT64_MIN);
  EXPECT_EQ(error, -EINVAL);
  close(fd);
}

// A precision clock, where the machine has one.
TEST_F(ClockErrorsTest, OfAFileThatIsAClock) {
  const int fd = open("/dev/ptp0", O_RDONLY | O_CLOEXEC);
  if (fd < 0) GTEST_SKIP() << "no /dev/ptp0 here";
  const int32_t clockid = OfFile(fd);
  int error = kUnwritten;
  const int64_t first = runtime_clockNs(clockid, &error);
  EXPECT_EQ(error, 0);
  EXPECT_LE(first, runtime_clockNs(clockid, &error));
  close(fd);
}

// Another thread's CPU time is a clock as well.
TEST_F(ClockErrorsTest, NotOfTheOwnProcessByItsId) {
  clockid_t clockid;
  ASSERT_EQ(clock_getcpuclockid(getpid(), &clockid), 0);
  int error = kUnwritten;
  const int64_t before = runtime_clockNs(CLOCK_PROCESS_CPUTIME_ID, &error);
  const int64_t ns = runtime_clockNs(clockid, &error);
  EXPECT_EQ(error, 0);
  EXPECT_LE(before, ns);
  EXPECT_LE(ns, runtime_clockNs(CLOCK_PROCESS_CPUTIME_ID, &error));
}

TEST_F(ClockErrorsTest, AreFatalWithoutAPlaceForThem) {
  EXPECT_DEATH(runtime_clockNs(99, nullptr), "no route can read clock 99");
  EXPECT_DEATH(runtime_clockResNs(99, nullptr), "clock 99: errno 22");
}

// Routes fail in turn. What one says of itself is not what is said of the
// clock.

int No(int32_t, KernelTimespec*) { return -ENOSYS; }
int Invalid(int32_t, KernelTimespec*) { return -EINVAL; }
int Denied(int32_t, KernelTimespec*) { return -EPERM; }
int Silent(int32_t, KernelTimespec*) { return 0; }

int ErrorOf(const RouteList& routes) {
  SetRoutes(routes);
  int error = kUnwritten;
  EXPECT_EQ(runtime_boottimeNs(&error), INT64_MIN);
  return error;
}

TEST_F(ClockErrorsTest, AreThoseAboutTheClock) {
  EXPECT_EQ(ErrorOf({{Invalid, No}}), -EINVAL);
  EXPECT_EQ(ErrorOf({{No, Invalid}}), -EINVAL);
  EXPECT_EQ(ErrorOf({{Silent, Denied, Invalid, No}}), -EINVAL);
  EXPECT_EQ(ErrorOf({{No, Denied}}), -EPERM);
  EXPECT_EQ(ErrorOf({{Silent}}), -EIO);
}

// A vDSO that knows few clocks stays in use for those.
TEST_F(ClockErrorsTest, DoNotCostARouteItsPlace) {
  const Route few = [](int32_t clockid, KernelTimespec* ts) {
    *ts = {1, 2};
    return clockid == CLOCK_MONOTONIC ? 0 : -ENOSYS;
  };
  SetRoutes({{few, kTraps.routes[0], kLastTrap}});
  const uint32_t demotions = RouteDemotions();
  for (int i = 0; i < 10; ++i) {
    int error = kUnwritten;
    EXPECT_GT(runtime_boottimeNs(&error), 0);
    EXPECT_EQ(error, 0);
  }
  EXPECT_EQ(RouteDemotions(), demotions);
  EXPECT_EQ(runtime_monotonicNs(nullptr), 1'000'000'002);
}

// The edges: times that fit and times that do not.

KernelTimespec edge;
int EdgeRoute(int32_t, KernelTimespec* ts) {
  *ts = edge;
  return 0;
}

struct Edge {
  int64_t sec;
  int64_t nsec;
  int64_t ns;
  int error;
};

TEST_F(ClockErrorsTest, AtTheEdgesOf64Bits) {
  SetRoutes({{EdgeRoute}});
  constexpr int64_t kNot = INT64_MIN;
  for (const Edge& e : {
           Edge{0, 0, 0, 0},
           Edge{-1, 999'999'999, -1, 0},  // 1969
           Edge{-1, 0, -1'000'000'000, 0},
           Edge{0xffffffff, 999'999'999, 4'294'967'295'999'999'999, 0},  // 2106
           Edge{0x100000000, 0, 4'294'967'296'000'000'000, 0},
           Edge{-9'223'372'036, 0, -9'223'372'036'000'000'000, 0},
           Edge{9'223'372'036, 854'775'806, INT64_MAX - 1, 0},
           Edge{9'223'372'036, 854'775'807, INT64_MAX, 0},  // 2262
           Edge{9'223'372'036, 854'775'808, kNot, -EOVERFLOW},
           Edge{9'223'372'037, 0, kNot, -EOVERFLOW},
           Edge{-9'223'372'037, 145'224'193, INT64_MIN + 1, 0},
           Edge{-9'223'372'037, 145'224'192, INT64_MIN, 0},  // 1677
           Edge{-9'223'372'037, 145'224'191, kNot, -EOVERFLOW},
           Edge{-9'223'372'038, 999'999'999, kNot, -EOVERFLOW},
           Edge{INT64_MAX, 999'999'999, kNot, -EOVERFLOW},
           Edge{INT64_MIN + 1, 0, kNot, -EOVERFLOW},
           // 2^64 nanoseconds and a little: they would wrap to a good time.
           Edge{18'446'744'075, 0, kNot, -EOVERFLOW},
           Edge{INT64_C(1) << 62, 5, kNot, -EOVERFLOW},
       }) {
    SCOPED_TRACE(e.sec);
    edge = {e.sec, e.nsec};
    int error = kUnwritten;
    EXPECT_EQ(runtime_clockNs(CLOCK_REALTIME, &error), e.ns);
    EXPECT_EQ(error, e.error);
    EXPECT_EQ(runtime_taiNs(&error), e.ns);
    EXPECT_EQ(error, e.error);
  }
}

}  // namespace
}  // namespace runtime
