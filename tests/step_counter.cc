#include "tests/step_counter.h"

#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace runtime {
namespace {

// OneCpu keeps parent and child on one processor: they take turns at every
// instruction, and waking another processor up is what takes the time.
class OneCpu {
 public:
  OneCpu() {
    sched_getaffinity(0, sizeof old_, &old_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCpu() { sched_setaffinity(0, sizeof old_, &old_); }

 private:
  cpu_set_t old_;
};

}  // namespace

int64_t CountSteps(const std::function<void()>& fn, int64_t limit) {
  const OneCpu one_cpu;
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    fn();
    _exit(0);
  }
  int64_t steps = -1;
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  while (WIFSTOPPED(status) && steps < limit &&
         (WSTOPSIG(status) == SIGTRAP || steps < 0)) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) break;
    if (waitpid(child, &status, 0) != child) return -2;
    ++steps;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? steps : -1;
  if (WIFSTOPPED(status)) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return steps <= 0 ? -1 : steps < limit ? -2 : limit;
}

}  // namespace runtime
