#include "runtime/time/guard.h"

#include <atomic>

#include "runtime/time/guard_reset.h"
#include "runtime/time/time.h"

namespace {

constexpr int64_t kNothingYet = INT64_MIN;

// 64-bit atomics without a lock: the four architectures have them all, and with
// one the core would need a library, which object_files_test would see. Clang's
// is_always_lock_free is false on 386, where an int64_t may lie across two
// lines; std::atomic's does not.
std::atomic<int64_t> latest{kNothingYet};

std::atomic<uint32_t> back_steps{0};

}  // namespace

void runtime::ResetGuard() {
  latest.store(kNothingYet, std::memory_order_release);
}

int64_t runtime_nanotimeGuarded(void) {
  // Before the reading: a time that another thread returns meanwhile may well
  // be later, on a good machine.
  const int64_t before = latest.load(std::memory_order_acquire);
  const int64_t now = runtime_nanotime();
  if (now < before) back_steps.fetch_add(1, std::memory_order_relaxed);
  int64_t last = before;
  while (now > last) {
    if (latest.compare_exchange_weak(last, now, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
      return now;
    }
  }
  return last;
}

uint32_t runtime_nanotimeBackSteps(void) {
  return back_steps.load(std::memory_order_relaxed);
}
