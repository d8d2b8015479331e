#include "tests/abi_reading.h"

#include <string.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace runtime {
namespace {

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
  return result != AbiResult::kInt64;
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
      {"nanotime", Address(runtime_nanotime), AbiResult::kInt64, false},
      {"nanotimeM", Address(runtime_nanotimeM), AbiResult::kInt64, true},
      {"walltime", Address(runtime_walltime), AbiResult::kWalltime, false},
      {"walltimeM", Address(runtime_walltimeM), AbiResult::kWalltime, true},
      {"now", Address(runtime_now), AbiResult::kNow, false},
      {"nowM", Address(runtime_nowM), AbiResult::kNow, true},
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
    : entry_(entry) {
  const uintptr_t m_arg = entry.takes_m ? reinterpret_cast<uintptr_t>(m) : 0;
  const uintptr_t result_arg = reinterpret_cast<uintptr_t>(&memory_);
#if defined(__aarch64__)
  call_.args[0] = m_arg;
  call_.args[1] = result_arg;  // becomes x8
#else
  const bool by_address = ByAddress(entry.result);
  call_.args[0] = by_address ? result_arg : m_arg;
  call_.args[1] = by_address ? m_arg : 0;
#endif
  FillAbiCall(&call_, entry.fn);
}

runtime_Now AbiReading::value() const {
  runtime_Now value = memory_;
  if (entry_.result == AbiResult::kInt64) {
    memcpy(&value.mono, call_.result, sizeof value.mono);
  } else if (!ByAddress(entry_.result)) {
    memcpy(&value, call_.result, sizeof call_.result);
  }
  return value;
}

std::string AbiReading::faults() const {
  return absl::StrJoin(AbiFaults(call_, Popped(entry_.result)), ", ");
}

}  // namespace runtime
