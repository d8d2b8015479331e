// A program to look at from outside: unwind_target above|below spin|once. Its
// readings run on a vDSO stack that lies above or below their caller's, in a
// route that spins for a while, or not.

#include <stdio.h>
#include <string.h>

#include "runtime/time/route.h"
#include "runtime/time/time.h"

namespace {

constexpr size_t kStackSize = 64 << 10;

bool spin;

}  // namespace

// Names that tools show, and their test looks for.
extern "C" {
int UnwindTargetRoute(int32_t clockid, runtime::KernelTimespec* ts);
int64_t UnwindTargetCaller();
}

[[gnu::noinline]] int UnwindTargetRoute(int32_t, runtime::KernelTimespec* ts) {
  constexpr int kTurns = 300'000'000;
  for (volatile int i = 0; spin && i < kTurns; i = i + 1) {
  }
  *ts = {1, 0};
  return 0;
}

[[gnu::noinline]] int64_t UnwindTargetCaller() {
  return runtime_nanotime() + 1;  // no tail call
}

int main(int argc, char** argv) {
  alignas(16) static char below[kStackSize];
  alignas(16) char above[kStackSize];
  if (argc != 3) {
    fprintf(stderr, "usage: unwind_target above|below spin|once\n");
    return 2;
  }
  const bool is_above = strcmp(argv[1], "above") == 0;
  spin = strcmp(argv[2], "spin") == 0;
  runtime::SetRoutes({{UnwindTargetRoute}});
  if (runtime_attach(is_above ? above : below, kStackSize) != 0) return 1;
  return UnwindTargetCaller() == 1'000'000'001 ? 0 : 1;
}
