// Every entry point keeps the C ABI's promises to its caller, and gives them to
// the route that it calls.

#include <stdint.h>
#include <string.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

constexpr uintptr_t kDirectionFlag = 0x400;  // Intel SDM vol. 1, 3.4.3.2

// Faults lists what a finished call has broken. popped: the bytes of arguments
// that the function has to take off the stack.
std::vector<std::string> Faults(const AbiCall& call, uintptr_t popped) {
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

// Call runs fn and lists its faults.
std::vector<std::string> Call(AbiCall* call, const void* fn,
                              uintptr_t popped = 0) {
  call->fn = reinterpret_cast<uintptr_t>(fn);
  for (int i = 0; i < ABI_SAVED_WORDS; ++i) {
    call->saved_before[i] =
        0x5eed0001u + 0x01010101u * static_cast<unsigned>(i);
  }
  abi_call(call);
  return Faults(*call, popped);
}

std::vector<std::string> CallBad(void (*fn)()) {
  AbiCall call = {};
  return Call(&call, reinterpret_cast<const void*>(fn));
}

TEST(AbiCheckerTest, FindsWhatIsBroken) {
  const std::string last =
      absl::StrCat("callee-saved word ", ABI_SAVED_WORDS - 1);
  EXPECT_EQ(CallBad(abi_bad_saved_first)[0], "callee-saved word 0");
  EXPECT_EQ(CallBad(abi_bad_saved_last).back(), last);
  EXPECT_EQ(absl::StrJoin(CallBad(abi_bad_sp), ","), "stack pointer");
#if defined(__x86_64__) || defined(__i386__)
  EXPECT_EQ(absl::StrJoin(CallBad(abi_bad_flags), ","), "direction flag");
#endif
}

enum class Result { kInt64, kWalltime, kNow };

struct EntryPoint {
  const char* name;
  const void* fn;
  Result result;
  bool takes_m;
};

template <typename F>
const void* Address(F* fn) {
  return reinterpret_cast<const void*>(fn);
}

std::vector<EntryPoint> EntryPoints() {
  return {
      {"nanotime", Address(runtime_nanotime), Result::kInt64, false},
      {"nanotimeM", Address(runtime_nanotimeM), Result::kInt64, true},
      {"walltime", Address(runtime_walltime), Result::kWalltime, false},
      {"walltimeM", Address(runtime_walltimeM), Result::kWalltime, true},
      {"now", Address(runtime_now), Result::kNow, false},
      {"nowM", Address(runtime_nowM), Result::kNow, true},
  };
}

// ByAddress tells whether the ABI returns this result through a pointer.
bool ByAddress(Result result) {
#ifdef __LP64__
  return result == Result::kNow;
#else
  return result != Result::kInt64;
#endif
}

class AbiTest : public RoutesFixture, public testing::WithParamInterface<bool> {
 protected:
  AbiTest() {
    SetRoutes({{abi_probe_route}});
    abi_probe_time = {1234567890, 987654321};
  }

  bool attached() const { return GetParam(); }

  void CheckEntryPoint(const EntryPoint& entry);

  alignas(16) char stack_[RUNTIME_VDSO_STACK_MIN] = {};
};

void AbiTest::CheckEntryPoint(const EntryPoint& entry) {
  SCOPED_TRACE(entry.name);
  runtime_M own;
  ASSERT_EQ(runtime_initM(&own, stack_, sizeof stack_), 0);
  if (attached() && !entry.takes_m) {
    ASSERT_EQ(runtime_attach(stack_, sizeof stack_), 0);
  }
  runtime_Now memory = {};
  const uintptr_t m_arg =
      attached() && entry.takes_m ? reinterpret_cast<uintptr_t>(&own) : 0;
  const uintptr_t result_arg = reinterpret_cast<uintptr_t>(&memory);
  const bool by_address = ByAddress(entry.result);

  AbiCall call = {};
  uintptr_t popped = 0;
#if defined(__aarch64__)
  call.args[0] = m_arg;
  call.args[1] = result_arg;  // becomes x8
#else
  call.args[0] = by_address ? result_arg : m_arg;
  call.args[1] = by_address ? m_arg : 0;
#endif
#if defined(__i386__)
  if (by_address) popped = 4;
#endif
  EXPECT_EQ(absl::StrJoin(Call(&call, entry.fn, popped), ", "), "");

  int64_t sec = 1234567890;
  int64_t ns = sec * 1000000000 + 987654321;
  switch (entry.result) {
    case Result::kInt64: {
      int64_t result = 0;
      memcpy(&result, call.result, sizeof result);
      EXPECT_EQ(result, ns);
      break;
    }
    case Result::kWalltime:
      if (!by_address) memcpy(&memory, call.result, sizeof call.result);
      break;
    case Result::kNow:
      EXPECT_EQ(memory.mono, ns);
      break;
  }
  if (entry.result != Result::kInt64) {
    EXPECT_EQ(memory.sec, sec);
    EXPECT_EQ(memory.nsec, 987654321);
  }

  // What the route was given.
#if defined(__x86_64__)
  EXPECT_EQ(abi_probe_sp % 16, 8u);  // the return address lies on the stack
#elif defined(__i386__)
  EXPECT_EQ(abi_probe_sp % 16, 12u);
#elif defined(__aarch64__)
  EXPECT_EQ(abi_probe_sp % 16, 0u);
#elif defined(__arm__)
  EXPECT_EQ(abi_probe_sp % 8, 0u);
#endif
  EXPECT_EQ(abi_probe_flags & kDirectionFlag, 0u);
  const bool on_m =
      abi_probe_sp - reinterpret_cast<uintptr_t>(stack_) < sizeof stack_;
  EXPECT_EQ(on_m, attached());
  EXPECT_EQ(own.vdsoFP, 0u);
  EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
  runtime_detach();
}

TEST_P(AbiTest, EntryPointsKeepTheAbi) {
  for (const EntryPoint& entry : EntryPoints()) CheckEntryPoint(entry);
}

INSTANTIATE_TEST_SUITE_P(Stacks, AbiTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Attached" : "NoM";
                         });

}  // namespace
}  // namespace runtime
