// The program counters of a thread's frames.

#ifndef TESTS_TRACE_H_
#define TESTS_TRACE_H_

#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

namespace runtime {

// Trace is a list without an allocation: handlers fill it.
class Trace {
 public:
  static constexpr size_t kMax = 64;

  void Add(uintptr_t pc) {
    if (size_ < kMax) pcs_[size_++] = pc;
  }
  bool full() const { return size_ == kMax; }
  size_t size() const { return size_; }
  uintptr_t operator[](size_t i) const { return pcs_[i]; }
  const uintptr_t* begin() const { return pcs_; }
  const uintptr_t* end() const { return pcs_ + size_; }

 private:
  uintptr_t pcs_[kMax];
  size_t size_ = 0;
};

// Backtrace unwinds with libgcc; its own frame comes first.
[[gnu::noinline]] inline Trace Backtrace() {
  Trace trace;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* arg) {
        auto* const frames = static_cast<Trace*>(arg);
        frames->Add(_Unwind_GetIP(context));
        return frames->full() ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &trace);
  return trace;
}

}  // namespace runtime

#endif  // TESTS_TRACE_H_
