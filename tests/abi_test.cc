// Every entry point keeps the C ABI's promises to its caller, and gives them to
// the route that it calls.

#include <stdint.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/time/route.h"
#include "runtime/time/time.h"
#include "tests/abi_check.h"
#include "tests/abi_reading.h"
#include "tests/routes_fixture.h"

namespace runtime {
namespace {

std::vector<std::string> CallBad(void (*fn)()) {
  AbiCall call = {};
  FillAbiCall(&call, reinterpret_cast<const void*>(fn));
  abi_call(&call);
  return AbiFaults(call, 0);
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

class AbiTest : public RoutesFixture, public testing::WithParamInterface<bool> {
 protected:
  AbiTest() {
    SetRoutes({{abi_probe_route}});
    abi_probe_time = {1234567890, 987654321};
  }

  bool attached() const { return GetParam(); }

  void CheckEntryPoint(const AbiEntryPoint& entry);

  alignas(16) char stack_[RUNTIME_VDSO_STACK_MIN] = {};
};

void AbiTest::CheckEntryPoint(const AbiEntryPoint& entry) {
  SCOPED_TRACE(entry.name);
  runtime_M own;
  ASSERT_EQ(runtime_initM(&own, stack_, sizeof stack_), 0);
  if (attached() && !entry.takes_m) {
    ASSERT_EQ(runtime_attach(stack_, sizeof stack_), 0);
  }
  AbiReading reading(entry, attached() ? &own : nullptr);
  reading.Read();
  EXPECT_EQ(reading.faults(), "");

  const runtime_Now value = reading.value();
  if (entry.has_mono()) {
    EXPECT_EQ(value.mono, 1234567890987654321);
  }
  if (entry.has_wall()) {
    EXPECT_EQ(value.sec, 1234567890);
    EXPECT_EQ(value.nsec, 987654321);
  }

  EXPECT_EQ(AbiRouteFaults(), "");
  const bool on_m =
      abi_probe_sp - reinterpret_cast<uintptr_t>(stack_) < sizeof stack_;
  EXPECT_EQ(on_m, attached());
  EXPECT_EQ(own.vdsoFP, 0u);
  EXPECT_EQ(runtime_currentM()->vdsoFP, 0u);
  runtime_detach();
}

TEST_P(AbiTest, EntryPointsKeepTheAbi) {
  for (const AbiEntryPoint& entry : AbiEntryPoints()) CheckEntryPoint(entry);
}

INSTANTIATE_TEST_SUITE_P(Stacks, AbiTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Attached" : "NoM";
                         });

}  // namespace
}  // namespace runtime
