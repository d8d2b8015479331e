// The counter that the vDSO reads: what a clock can cost at the least.

#ifndef BENCHMARKS_CYCLE_COUNTER_H_
#define BENCHMARKS_CYCLE_COUNTER_H_

#include <stdint.h>

namespace runtime {

// CycleCounter reads it. Not ordered with the instructions around it.
// Units: ticks of the counter.
inline uint64_t CycleCounter() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#elif defined(__arm__)
  uint64_t ticks;
  asm volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r"(ticks));  // CNTVCT
  return ticks;
#else
#error "no such architecture"
#endif
}

// HaveCycleCounter tries whether user space may read it. Signals: takes over
// SIGILL for the time of the call.
bool HaveCycleCounter();

}  // namespace runtime

#endif  // BENCHMARKS_CYCLE_COUNTER_H_
