// A model of the kernel's timekeeper, for what may happen between two readings.

#ifndef TESTS_FAKE_KERNEL_H_
#define TESTS_FAKE_KERNEL_H_

#include <errno.h>
#include <stdint.h>
#include <time.h>

#include <vector>

#include "runtime/sys/sys.h"

namespace runtime {

// KernelEvent is what happens to the kernel's clocks between two calls.
enum class KernelEvent {
  kNothing,
  kTime,      // goes by, without an update
  kTick,      // time goes by, then an update
  kStepOn,    // time goes by, then somebody sets the wall clock ahead
  kStepBack,  // ... or back
  kSlew,      // time goes by, then the clocks' rate is adjusted
  kTwoSteps,  // time goes by, then somebody sets it ahead and somebody else
              // back
  // The same without time that goes by: in the counter's period of the update
  // before.
  kStepOnAtOnce,
  kStepBackAtOnce,
  kStepOnAtOnceThenTime,
};

// FakeKernel keeps the time as timekeeping.c does: each update moves the base
// of both clocks on to the counter's time and then changes what it is for;
// readings in between extrapolate from the base, the coarse ones do not.
class FakeKernel {
 public:
  // A second or so before the nanoseconds of both clocks wrap.
  FakeKernel() { Publish(); }

  void Happen(KernelEvent event) {
    constexpr int64_t kStep = 12'345'678'901;
    if (event == KernelEvent::kNothing) return;
    if (event < KernelEvent::kStepOnAtOnce) counter_ += kTimeThatGoesBy;
    if (event == KernelEvent::kTime) return;
    Update();
    switch (event) {
      case KernelEvent::kStepOn:
      case KernelEvent::kStepOnAtOnce:
      case KernelEvent::kStepOnAtOnceThenTime:
        offset_ += kStep;
        break;
      case KernelEvent::kStepBack:
      case KernelEvent::kStepBackAtOnce:
        offset_ -= kStep;
        break;
      case KernelEvent::kTwoSteps:
        offset_ += kStep;
        Publish();
        counter_ += 1;
        Update();
        offset_ -= kStep;
        break;
      case KernelEvent::kSlew:
        rate_ = rate_ == 1 ? 2 : 1;
        break;
      default:
        break;
    }
    Publish();
    if (event == KernelEvent::kStepOnAtOnceThenTime) {
      counter_ += kTimeThatGoesBy;
    }
  }

  int Read(int32_t clockid, KernelTimespec* ts) const {
    switch (clockid) {
      case CLOCK_MONOTONIC:
        return Write(Mono(), ts);
      case CLOCK_REALTIME:
        return Write(Mono() + offset_, ts);
      case CLOCK_MONOTONIC_COARSE:
        return Write(base_, ts);
      case CLOCK_REALTIME_COARSE:
        return Write(base_ + offset_, ts);
      default:
        return -EINVAL;
    }
  }

  int64_t Mono() const { return base_ + (counter_ - last_) * rate_; }

  // State is the number of updates so far.
  size_t State() const { return states_.size() - 1; }

  // Existed tells whether the two clocks ever showed this pair in one of the
  // states from first on.
  bool Existed(int64_t wall, int64_t mono, size_t first) const {
    for (size_t i = first; i < states_.size(); ++i) {
      const int64_t end =
          i + 1 < states_.size() ? states_[i + 1].begin : Mono();
      if (wall - mono == states_[i].offset && mono >= states_[i].begin &&
          mono <= end) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr int64_t kTimeThatGoesBy = 900'000'000;

  struct PublishedState {
    int64_t begin;  // on the monotonic clock
    int64_t offset;
  };

  static int Write(int64_t ns, KernelTimespec* ts) {
    *ts = {ns / 1'000'000'000, ns % 1'000'000'000};
    return 0;
  }

  void Update() {
    base_ = Mono();
    last_ = counter_;
  }
  void Publish() { states_.push_back({base_, offset_}); }

  int64_t counter_ = 5;
  int64_t last_ = 5;  // the counter at the last update
  int64_t rate_ = 1;  // nanoseconds in a period of the counter
  int64_t base_ = 999'999'990;
  int64_t offset_ = 1'600'000'000'500'000'000;
  std::vector<PublishedState> states_;
};

}  // namespace runtime

#endif  // TESTS_FAKE_KERNEL_H_
