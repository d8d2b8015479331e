// Virtual time for tests of code that embeds nanotime.

#ifndef RUNTIME_TIME_TESTING_SIMULATED_CLOCK_H_
#define RUNTIME_TIME_TESTING_SIMULATED_CLOCK_H_

#include <stdint.h>

#include "absl/time/time.h"

namespace runtime {

// SimulatedClock takes the place of the machine's clocks, for all readings of
// this process and in all its threads, from its construction to its
// destruction; one at a time. It is put in as the route of readings: code under
// test is the same code, and pays nothing when there is no simulation.
//
//   TEST(RetryTest, GivesUpAfterAMinute) {
//     runtime::SimulatedClock clock;
//     Retry retry;                            // reads runtime::nanotime()
//     clock.AdvanceTime(absl::Minutes(1));
//     EXPECT_TRUE(retry.GivenUp());
//   }
//
// Simulated: the wall clock, the monotonic clock, their coarse companions (as
// of the last 4 ms), raw monotonic (the same as monotonic), boot time and TAI.
// CPU times and the clocks of files remain the machine's. Nothing sleeps or
// wakes by it; kernel timers go on in real time. It also clears what
// runtime_nanotimeGuarded has returned.
//
// Threads: all functions, beside readings. Signals: readings as always, the
// functions here not from a handler. runtime_timeInit and runtime_forceRoute
// end the simulation before its time.
class SimulatedClock {
 public:
  // The clocks begin at wall, on the monotonic and the boot clock at
  // since_boot.
  explicit SimulatedClock(
      absl::Time wall = absl::FromUnixSeconds(1'000'000'000),
      absl::Duration since_boot = absl::Seconds(1000));
  ~SimulatedClock();
  SimulatedClock(const SimulatedClock&) = delete;
  SimulatedClock& operator=(const SimulatedClock&) = delete;

  // TimeNow and SinceBoot return wall and monotonic time, and are no readings.
  absl::Time TimeNow() const;
  absl::Duration SinceBoot() const;

  // AdvanceTime lets time go by on all clocks. A negative duration sets all
  // back, the monotonic clock included, as faulty machines do.
  void AdvanceTime(absl::Duration d);

  // SetTime sets the wall clock, as clock_settime(2) does.
  void SetTime(absl::Time wall);

  // Suspend lets time go by as while the machine is suspended: the monotonic
  // clock stands still.
  void Suspend(absl::Duration d);

  // AutoAdvance lets d go by before each later reading, so that loops that wait
  // for a time come to an end. A reading of both clocks is one.
  void AutoAdvance(absl::Duration d);

  // FailReadings makes readings fail with a positive errno, until it is 0.
  // runtime_nanotime and the like end in the fatal hook then; functions with
  // errors return it.
  void FailReadings(int error);

  // readings counts those made. One that fails is tried again, and counts
  // twice.
  int64_t readings() const;
};

}  // namespace runtime

#endif  // RUNTIME_TIME_TESTING_SIMULATED_CLOCK_H_
