#include "tests/abi_reading.h"

#include <string.h>
#include <time.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/time/clocks.h"

namespace runtime {
namespace {

constexpr int kUnwritten = 12345;
constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr uintptr_t kDirectionFlag = 0x400;  // Intel SDM vol. 1, 3.4.3.2

// What is left of a stack pointer at a function's entry. x86 has pushed the
// return address.
#if defined(__arm__)
constexpr uintptr_t kStackAlign = 8;
constexpr uintptr_t kOffAtEntry = 0;
#elif defined(__aarch64__)
constexpr uintptr_t kStackAlign = 16;
constexpr uintptr_t kOffAtEntry = 0;
#else
constexpr uintptr_t kStackAlign = 16;
constexpr uintptr_t kOffAtEntry = kStackAlign - sizeof(uintptr_t);
#endif

template <typename F>
const void* Address(F* fn) {
  return reinterpret_cast<const void*>(fn);
}

// ByAddress tells whether the ABI returns this result through a pointer.
bool ByAddress(AbiResult result) {
#ifdef __LP64__
  return result == AbiResult::kNow;
#else
  return result == AbiResult::kWalltime || result == AbiResult::kNow;
#endif
}

// Popped returns how many bytes of arguments the function takes off the stack.
uintptr_t Popped(AbiResult result) {
#ifdef __i386__
  return ByAddress(result) ? 4 : 0;
#else
  static_cast<void>(result);
  return 0;
#endif
}

}  // namespace

std::vector<AbiEntryPoint> AbiEntryPoints() {
  return {
      {"nanotime", Address(runtime_nanotime), AbiResult::kMono, false},
      {"nanotimeM", Address(runtime_nanotimeM), AbiResult::kMono, true},
      {"walltime", Address(runtime_walltime), AbiResult::kWalltime, false},
      {"walltimeM", Address(runtime_walltimeM), AbiResult::kWalltime, true},
      {"now", Address(runtime_now), AbiResult::kNow, false},
      {"nowM", Address(runtime_nowM), AbiResult::kNow, true},
      {"clockNs", Address(runtime_clockNs), AbiResult::kMono, false,
       CLOCK_MONOTONIC, true},
      {"clockNsM", Address(runtime_clockNsM), AbiResult::kWallNs, true,
       CLOCK_REALTIME, true},
      {"monotonicNs", Address(runtime_monotonicNs), AbiResult::kMono, false, -1,
       true},
      {"realtimeNs", Address(runtime_realtimeNs), AbiResult::kWallNs, false, -1,
       true},
  };
}

std::vector<std::string> AbiFaults(const AbiCall& call, uintptr_t popped) {
  std::vector<std::string> faults;
  for (int i = 0; i < ABI_SAVED_WORDS; ++i) {
    if (call.saved_before[i] != call.saved_after[i]) {
      faults.push_back(absl::StrCat("callee-saved word ", i));
    }
  }
  if (call.sp_after != call.sp_before + popped) {
    faults.push_back("stack pointer");
  }
#if defined(__x86_64__) || defined(__i386__)
  if ((call.flags & kDirectionFlag) != 0) faults.push_back("direction flag");
#endif
  return faults;
}

std::string AbiRouteFaults() {
  std::vector<std::string> faults;
  if (abi_probe_sp % kStackAlign != kOffAtEntry) faults.push_back("alignment");
  if ((abi_probe_flags & kDirectionFlag) != 0) {
    faults.push_back("direction flag");
  }
  return absl::StrJoin(faults, ", ");
}

void FillAbiCall(AbiCall* call, const void* fn) {
  call->fn = reinterpret_cast<uintptr_t>(fn);
  for (int i = 0; i < ABI_SAVED_WORDS; ++i) {
    call->saved_before[i] =
        0x5eed0001u + 0x01010101u * static_cast<unsigned>(i);
  }
}

AbiReading::AbiReading(const AbiEntryPoint& entry, runtime_M* m)
    : entry_(entry), error_(entry.takes_error ? kUnwritten : 0) {
  uintptr_t* arg = call_.args;
#ifndef __aarch64__
  if (ByAddress(entry.result)) *arg++ = reinterpret_cast<uintptr_t>(&memory_);
#endif
  if (entry.takes_m) *arg++ = reinterpret_cast<uintptr_t>(m);
#ifdef __aarch64__
  // Becomes x8.
  if (ByAddress(entry.result)) {
    call_.args[1] = reinterpret_cast<uintptr_t>(&memory_);
  }
#endif
  if (entry.clockid >= 0) *arg++ = static_cast<uintptr_t>(entry.clockid);
  if (entry.takes_error) *arg++ = reinterpret_cast<uintptr_t>(&error_);
  FillAbiCall(&call_, entry.fn);
}

runtime_Now AbiReading::value() const {
  runtime_Now value = memory_;
  if (ByAddress(entry_.result)) return value;
  if (entry_.result == AbiResult::kWalltime) {
    memcpy(&value, call_.result, sizeof call_.result);
    return value;
  }
  int64_t ns;
  memcpy(&ns, call_.result, sizeof ns);
  if (entry_.result == AbiResult::kMono) {
    value.mono = ns;
  } else {
    value.sec = ns / kNanosPerSecond - (ns % kNanosPerSecond < 0 ? 1 : 0);
    value.nsec = static_cast<int32_t>(ns - value.sec * kNanosPerSecond);
  }
  return value;
}

std::string AbiReading::faults() const {
  std::vector<std::string> faults = AbiFaults(call_, Popped(entry_.result));
  if (error_ != 0) faults.push_back(absl::StrCat("error ", error_));
  return absl::StrJoin(faults, ", ");
}

}  // namespace runtime
