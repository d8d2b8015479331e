#include "runtime/sys/kernel_release.h"

#include <sys/utsname.h>

#include "gtest/gtest.h"

namespace runtime {
namespace {

TEST(KernelReleaseTest, Releases) {
  struct Row {
    const char* release;
    HasTime64 want;
  };
  for (const Row& row : {
           Row{"5.1.0", HasTime64::kYes},
           Row{"5.1", HasTime64::kYes},
           Row{"5.10.0-28-amd64", HasTime64::kYes},
           Row{"6.12.8+rpt-rpi-v8", HasTime64::kYes},
           Row{"10.0", HasTime64::kYes},
           Row{"5.0.21-yocto", HasTime64::kNo},
           Row{"4.19.191-g1234567-ab42", HasTime64::kNo},
           Row{"4.4.180+", HasTime64::kNo},       // Synology
           Row{"2.6.60-5.10.0", HasTime64::kNo},  // setarch --uname-2.6
           Row{"3.10.0-1160.el7.x86_64", HasTime64::kNo},
           Row{"", HasTime64::kUnknown},
           Row{"5", HasTime64::kUnknown},
           Row{"5.", HasTime64::kUnknown},
           Row{"-5.1", HasTime64::kUnknown},
           Row{"v6.1", HasTime64::kUnknown},
           Row{"99999999999999999999.1", HasTime64::kUnknown},
       }) {
    EXPECT_EQ(ReleaseHasTime64(row.release), row.want) << row.release;
  }
}

TEST(KernelReleaseTest, AsksTheRunningKernel) {
  utsname name;
  ASSERT_EQ(uname(&name), 0);
  EXPECT_EQ(KernelHasTime64(), ReleaseHasTime64(name.release));
}

}  // namespace
}  // namespace runtime
