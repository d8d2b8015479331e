#ifndef EXAMPLES_FIBER_FIBER_H_
#define EXAMPLES_FIBER_FIBER_H_

#include <stdint.h>
#include <ucontext.h>

#include <functional>

#include "examples/fiber/clock.h"
#include "examples/fiber/stack_pool.h"
#include "examples/fiber/worker.h"

namespace fibers {

// Fiber is a function with a stack of its own. It runs on one worker at a time
// and may come back on another after each switch.
//
// The migration rule: a fiber must not change threads inside a reading, which
// is about to use the stack of the thread's M, or is using it. Here all
// switches are calls (Yield, SafePoint), and no reading makes one: the rule
// holds by construction. A runtime whose signal handler switches has to ask
// runtime_inReading first.
class Fiber {
 public:
  using Body = std::function<void(Fiber*)>;

  // body is called on the stack, and must fit. It outlives the fiber.
  Fiber(int id, Stack stack, Clock clock, const Body* body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  int id() const { return id_; }
  const Stack& stack() const { return stack_; }

  // For the worker, on the thread's stack. Resume runs the fiber until it
  // yields or is done. Before that, a yielding fiber must not be made runnable:
  // another worker would enter a stack that is still being left.
  void Resume(Worker* worker);
  bool done() const { return done_; }
  // waited_ns is how long it was runnable before it ran for the last time.
  int64_t waited_ns() const { return waited_ns_; }

  // For the fiber itself, on its stack. Yield lets others run. SafePoint does
  // if a signal has asked for it: to be called often.
  void Yield() { Leave(); }
  void SafePoint();
  // ReportDamage tells that the fiber's stack has been written by others.
  void ReportDamage();

 private:
  static void Entry(unsigned high, unsigned low);
  void Arrive();
  void Leave();

  const int id_;
  const Stack stack_;
  const Clock clock_;
  const Body* const body_;
  ucontext_t context_;  // nearly 1 KiB, on arm64 4.5: it must not be down there
  Worker* worker_ = nullptr;
  int64_t runnable_since_ns_;
  int64_t waited_ns_ = 0;
  bool done_ = false;
};

}  // namespace fibers

#endif  // EXAMPLES_FIBER_FIBER_H_
