// A timer that sends one thread a signal.

#ifndef TESTS_THREAD_TIMER_H_
#define TESTS_THREAD_TIMER_H_

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// Of Linux's sigevent; glibc has it without its name.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace runtime {

// ThreadTimer sends the thread that makes it a signal every so many
// nanoseconds, or as often as the kernel delivers it; what comes meanwhile is
// merged. Any thread may end it.
class ThreadTimer {
 public:
  ThreadTimer(int signal, int nanoseconds) {
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
    event.sigev_signo = signal;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) abort();
    const itimerspec often = {{0, nanoseconds}, {0, nanoseconds}};
    timer_settime(timer_, 0, &often, nullptr);
  }
  ~ThreadTimer() { timer_delete(timer_); }
  ThreadTimer(const ThreadTimer&) = delete;
  ThreadTimer& operator=(const ThreadTimer&) = delete;

 private:
  timer_t timer_;
};

}  // namespace runtime

#endif  // TESTS_THREAD_TIMER_H_
