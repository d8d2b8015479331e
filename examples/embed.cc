#include <iostream>

#include "absl/time/time.h"
#include "runtime/time/clock.h"

int main() {
  // The fast path is ready: the library has found the vDSO before main.
  const int64_t start = runtime::nanotime();

  // A thread that runs on small stacks lends its readings a larger one.
  if (runtime_attachAlloc(0) != 0) return 1;

  const runtime_Now now = runtime::now();
  std::cout << "wall " << absl::FormatTime(runtime::ToAbslTime(now)) << ", "
            << runtime::ToAbslDuration(now.mono - start)
            << " after the start\n";
  runtime_detachFree();
}
