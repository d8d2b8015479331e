#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/clockinfo/clocks.h"

namespace runtime {
namespace {

// kMark is no error of a clock's.
constexpr int kMark = EBADFD;

// FailClockSyscalls puts this process under a filter for good.
bool FailClockSyscalls() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
#ifdef __LP64__
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
#else
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime64, 0, 1),
#endif
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | kMark),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// ReadUnderFilter is the child. It writes a character for each clock.
[[noreturn]] void ReadUnderFilter(Route route,
                                  const std::vector<ClockFacts>& clocks,
                                  int fd) {
  if (!FailClockSyscalls()) _exit(1);
  for (const ClockFacts& clock : clocks) {
    KernelTimespec ts;
    const int rc = ReadRoute(route, clock.clockid, &ts);
    const char answer = rc == 0 ? 'u' : rc == -kMark ? 's' : '?';
    if (write(fd, &answer, 1) != 1) _exit(1);
  }
  _exit(0);
}

}  // namespace

void ProveUserSpace(Route route, std::vector<ClockFacts>* clocks) {
  int fds[2];
  if (pipe(fds) != 0) return;
  const pid_t child = fork();
  if (child == 0) ReadUnderFilter(route, *clocks, fds[1]);
  close(fds[1]);
  if (child > 0) {
    for (ClockFacts& clock : *clocks) {
      char answer;
      if (read(fds[0], &answer, 1) != 1) break;
      if (answer == 'u') clock.user_space = UserSpace::kYes;
      if (answer == 's') clock.user_space = UserSpace::kNo;
    }
    waitpid(child, nullptr, 0);
  }
  close(fds[0]);
}

}  // namespace runtime
