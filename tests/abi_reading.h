// Readings through the ABI checker: what they return, and what they break.

#ifndef TESTS_ABI_READING_H_
#define TESTS_ABI_READING_H_

#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

#include "runtime/time/time.h"
#include "tests/abi_check.h"

namespace runtime {

enum class AbiResult { kMono, kWallNs, kWalltime, kNow };

// AbiEntryPoint is one of the public entry points, and for those of any clock
// the clock to ask for.
struct AbiEntryPoint {
  const char* name;
  const void* fn;
  AbiResult result;
  bool takes_m;
  int32_t clockid = -1;      // to hand over; -1: it takes none
  bool takes_error = false;  // a pointer

  bool has_mono() const {
    return result == AbiResult::kMono || result == AbiResult::kNow;
  }
  bool has_wall() const { return result != AbiResult::kMono; }
};

// AbiEntryPoints returns one of each kind: of those that only differ in the
// clock they ask for, those of the wall clock and the monotonic clock.
std::vector<AbiEntryPoint> AbiEntryPoints();

// AbiReading is one reading under check. What the entry point does not tell is
// 0, as far as value() goes.
class AbiReading {
 public:
  // m: for an entry point that takes one.
  AbiReading(const AbiEntryPoint& entry, runtime_M* m);
  AbiReading(const AbiReading&) = delete;
  AbiReading& operator=(const AbiReading&) = delete;

  // Read takes little of the stack that it is called on.
  void Read() { abi_call(&call_); }
  AbiCall* call() { return &call_; }

  // value returns what was read.
  runtime_Now value() const;

  // faults lists what the reading has broken, its error included; "" for
  // nothing.
  std::string faults() const;

 private:
  AbiEntryPoint entry_;
  AbiCall call_ = {};
  runtime_Now memory_ = {};
  int error_;
};

// AbiFaults lists what a finished call has broken. popped: the bytes of
// arguments that the function has to take off the stack.
std::vector<std::string> AbiFaults(const AbiCall& call, uintptr_t popped);

// AbiRouteFaults lists what was wrong when abi_probe_route was last called, by
// the ABI's rules for a function's entry; "" for nothing.
std::string AbiRouteFaults();

// FillAbiCall gives a call its function and the registers that it must keep.
void FillAbiCall(AbiCall* call, const void* fn);

}  // namespace runtime

#endif  // TESTS_ABI_READING_H_
