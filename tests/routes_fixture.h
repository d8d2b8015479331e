#ifndef TESTS_ROUTES_FIXTURE_H_
#define TESTS_ROUTES_FIXTURE_H_

#include <sys/auxv.h>

#include "gtest/gtest.h"
#include "runtime/time/init.h"
#include "runtime/time/time.h"

namespace runtime {

// RoutesFixture lets a test change the routes, the fatal hook and this thread's
// M, and puts everything back.
class RoutesFixture : public testing::Test {
 protected:
  ~RoutesFixture() override {
    runtime_detach();
    runtime_setFatalHook(nullptr);
    InitForced(getauxval(AT_SYSINFO_EHDR), RUNTIME_ROUTE_AUTO);
  }
};

}  // namespace runtime

#endif  // TESTS_ROUTES_FIXTURE_H_
