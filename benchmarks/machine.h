// What the benchmark says of the machine, and what it asks of it.

#ifndef BENCHMARKS_MACHINE_H_
#define BENCHMARKS_MACHINE_H_

#include <sched.h>

#include <string>

namespace runtime {

// GoArch is Go's name of the architecture.
const char* GoArch();

// CpuModel is the kernel's name of the processor, or empty.
std::string CpuModel();

// UsableCpus counts the CPUs this thread may run on, as Go's runtime does for
// GOMAXPROCS.
int UsableCpus();

// PinnedToCpu keeps the calling thread on the CPU it is on.
class PinnedToCpu {
 public:
  PinnedToCpu();
  ~PinnedToCpu();
  PinnedToCpu(const PinnedToCpu&) = delete;
  PinnedToCpu& operator=(const PinnedToCpu&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

}  // namespace runtime

#endif  // BENCHMARKS_MACHINE_H_
