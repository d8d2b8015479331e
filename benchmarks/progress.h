#ifndef BENCHMARKS_PROGRESS_H_
#define BENCHMARKS_PROGRESS_H_

#include <stdint.h>

#include <chrono>  // NOLINT(build/c++11)
#include <string>

namespace runtime {

// Progress shows on stderr that a run goes on: a counter on a terminal, else a
// line from time to time.
class Progress {
 public:
  // Start says what is to be done, and in how many ticks; 0: unknown.
  void Start(const std::string& what, int64_t ticks);

  // Tick seldom prints.
  void Tick();

  void Finish();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::duration Interval() const;

  bool running_ = false;
  bool terminal_ = false;
  int64_t ticks_ = 0;
  int64_t done_ = 0;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace runtime

#endif  // BENCHMARKS_PROGRESS_H_
