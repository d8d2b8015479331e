// Switches are glibc's swapcontext: portable, and slow, since it makes a system
// call for the signal mask. A real runtime has ten instructions of its own.
//
// Thread-locals: what runs on a fiber's stack must not use them. The compiler
// takes a thread-local's address for constant within a function and may keep it
// in a register across a switch, after which it is another thread's. A fiber
// finds its worker in its own record instead, which the worker writes before it
// resumes the fiber. runtime_nanotime looks for the thread's M at each call.
//
// Lazy binding: the dynamic linker's first call of a function saves all vector
// registers, 3 KiB with AVX-512, on the stack of who calls it. Programs with
// stacks like these are linked with -z now, as this one is (toolchains/cc.bzl).

#include "examples/fiber/fiber.h"

#include "examples/fiber/die.h"

namespace fibers {

Fiber::Fiber(int id, Stack stack, Clock clock, const Body* body)
    : id_(id), stack_(stack), clock_(clock), body_(body) {
  // The context has its signal mask from here.
  if (getcontext(&context_) != 0) Die("getcontext");
  context_.uc_stack.ss_sp = stack.base;
  context_.uc_stack.ss_size = kStackSize;
  context_.uc_link = nullptr;  // Entry does not return
  // makecontext passes ints: a pointer goes in two halves.
  const auto self = uint64_t{reinterpret_cast<uintptr_t>(this)};
  makecontext(&context_, reinterpret_cast<void (*)()>(Entry), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  runnable_since_ns_ = clock_();
}

void Fiber::Resume(Worker* worker) {
  if (worker_ != nullptr && worker_ != worker) ++worker->migrations;
  worker_ = worker;
  worker->running.store(this, std::memory_order_relaxed);
  if (swapcontext(&worker->context, &context_) != 0) Die("swapcontext");
  worker->running.store(nullptr, std::memory_order_relaxed);
}

void Fiber::Entry(unsigned high, unsigned low) {
  auto* const self = reinterpret_cast<Fiber*>(
      static_cast<uintptr_t>(uint64_t{high} << 32 | low));
  self->Arrive();
  (*self->body_)(self);
  self->done_ = true;
  self->Leave();
}

void Fiber::Arrive() { waited_ns_ = clock_() - runnable_since_ns_; }

void Fiber::Leave() {
  runnable_since_ns_ = clock_();
  swapcontext(&context_, &worker_->context);
  Arrive();  // perhaps on another thread
}

void Fiber::SafePoint() {
  if (!worker_->yield_requested.load(std::memory_order_relaxed)) return;
  ++worker_->preemptions;
  Leave();
}

void Fiber::ReportDamage() { ++worker_->damaged; }

}  // namespace fibers
