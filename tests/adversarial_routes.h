// Routes that do the worst that a vDSO function may, as far as C++ can say it;
// and the table of all of them.

#ifndef TESTS_ADVERSARIAL_ROUTES_H_
#define TESTS_ADVERSARIAL_ROUTES_H_

#include <setjmp.h>
#include <stdint.h>

#include <vector>

#include "runtime/time/route.h"

namespace runtime {

enum class Outcome {
  kWritten,       // the reading returns what the route has written
  kFallsThrough,  // ... what the next route reads
  kJumps,         // the handler of the route's signal does not come back
};

struct AdversarialRoute {
  const char* name;
  Route route;
  Outcome outcome;
  void (*on_signal)();  // of the route's signal's handler
  int depth;            // how many handlers read, one in the other
};

const std::vector<AdversarialRoute>& AdversarialRoutes();

// ProbingRoute touches the pages below its frame, as the vDSO of a kernel built
// with -fstack-check does (golang/go#20427).
template <int kPages>
int ProbingRoute(int32_t clockid, KernelTimespec* ts);

// LastWritten is what the last route to succeed has written for a clock.
KernelTimespec LastWritten(int32_t clockid);

// SignalStats is what the handlers of the routes' signals have seen.
struct SignalStats {
  int sent;          // by routes in C++
  int handled;       // by handlers that read
  int deepest;       // how many of them, one in the other
  int wrong;         // readings in them
  int unpublished;   // handlers that runtime_vdsoFrame has shown no reading
  int not_restored;  // ... or another one after their own readings
  uintptr_t pc, sp;  // what it has shown to the outermost handler
};
extern SignalStats signal_stats;

// adversarial_jump is where Outcome::kJumps leads to.
extern sigjmp_buf adversarial_jump;

}  // namespace runtime

#endif  // TESTS_ADVERSARIAL_ROUTES_H_
