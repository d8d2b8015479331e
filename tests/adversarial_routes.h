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
  int handled;
  int without_frame;  // runtime_vdsoFrame has said that there is no reading
  int wrong;          // readings in the handler
  int deepest;        // how many of them, one in the other
};
extern SignalStats signal_stats;

// adversarial_jump is where Outcome::kJumps leads to.
extern sigjmp_buf adversarial_jump;

}  // namespace runtime

#endif  // TESTS_ADVERSARIAL_ROUTES_H_
