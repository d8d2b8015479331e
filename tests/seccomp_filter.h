// Seccomp filters for the children of tests.

#ifndef TESTS_SECCOMP_FILTER_H_
#define TESTS_SECCOMP_FILTER_H_

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <vector>

namespace runtime {

// SyscallRule says what becomes of a system call: SECCOMP_RET_* of seccomp(2).
struct SyscallRule {
  int number;
  uint32_t action;
};

// HaveSeccomp is false under qemu-user.
inline bool HaveSeccomp() { return prctl(PR_GET_SECCOMP) >= 0; }

// InstallFilter puts this thread, for good, under a filter of rules; otherwise
// is for the calls that have none. Returns whether that could be done.
inline bool InstallFilter(const std::vector<SyscallRule>& rules,
                          uint32_t otherwise = SECCOMP_RET_ALLOW) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const SyscallRule& rule : rules) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                              static_cast<uint32_t>(rule.number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, rule.action));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, otherwise));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()),
                              filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// ClockSyscalls are those that read a clock, the one with 64-bit times first.
inline std::vector<int> ClockSyscalls() {
#ifdef __LP64__
  return {SYS_clock_gettime};
#else
  return {SYS_clock_gettime64, SYS_clock_gettime};
#endif
}

}  // namespace runtime

#endif  // TESTS_SECCOMP_FILTER_H_
