// A whole vDSO whose clocks are functions of the test, for every arch, also
// under emulators that have none.

#ifndef TESTS_FAKE_VDSO_H_
#define TESTS_FAKE_VDSO_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/sys/sys.h"
#include "runtime/time/route.h"
#include "runtime/vdso/vdso_linux_arch.h"
#include "tests/vdso_image.h"

namespace runtime {

// WriteJump writes a jump to target: at most 16 bytes, and no register changed
// that a caller or the callee may rely on.
inline void WriteJump(char* code, uintptr_t target) {
#if defined(__x86_64__)
  code[0] = '\x48';  // movabs $target, %rax
  code[1] = '\xb8';
  memcpy(code + 2, &target, 8);
  code[10] = '\xff';  // jmp *%rax
  code[11] = '\xe0';
#elif defined(__i386__)
  // push $target; ret: __kernel_vsyscall finds its number in eax.
  code[0] = '\x68';
  memcpy(code + 1, &target, 4);
  code[5] = '\xc3';
#elif defined(__aarch64__)
  const uint32_t jump[] = {0x58000050,   // ldr x16, .+8
                           0xd61f0200};  // br x16
  memcpy(code, jump, 8);
  memcpy(code + 8, &target, 8);
#elif defined(__arm__)
  const uint32_t jump = 0xe51ff004;  // ldr pc, [pc, #-4]
  memcpy(code, &jump, 4);
  memcpy(code + 4, &target, 4);
#endif
}

inline Route fake_vdso_clock;

// FakeVdso offers all that this arch's kernels do. clock answers for the
// function with 64-bit times and for the one with 32-bit times. One at a time.
class FakeVdso {
 public:
#ifdef __i386__
  // vsyscall is what __kernel_vsyscall does.
  explicit FakeVdso(Route clock, void (*vsyscall)() = runtime_sysInt80)
      : vsyscall_(vsyscall), image_(StandardVdso()) {
#else
  explicit FakeVdso(Route clock) : image_(StandardVdso()) {
#endif
    fake_vdso_clock = clock;
    for (const vdsoSymbolKey& key : vdsoSymbolKeys) {
      WriteJump(reinterpret_cast<char*>(
                    image_.AddressOf(key.name, key.version.version)),
                Target(key));
    }
    if (mprotect(image_.start(), image_.size(), PROT_READ | PROT_EXEC) != 0) {
      abort();
    }
    __builtin___clear_cache(image_.start(), image_.start() + image_.size());
  }

  uintptr_t base() const { return image_.base(); }

 private:
  uintptr_t Target(const vdsoSymbolKey& key) const {
#ifndef __LP64__
    if (key.sym == &vdsoSymbols::vdsoClockgettimeSym) {
      return reinterpret_cast<uintptr_t>(&CallClockOld);
    }
#endif
#ifdef __i386__
    if (key.sym == &vdsoSymbols::vdsoKernelVsyscallSym) {
      return reinterpret_cast<uintptr_t>(vsyscall_);
    }
#endif
    static_cast<void>(key);
    return reinterpret_cast<uintptr_t>(&CallClock);
  }

  static int CallClock(int32_t clockid, KernelTimespec* ts) {
    return fake_vdso_clock(clockid, ts);
  }

#ifndef __LP64__
  static int CallClockOld(int32_t clockid, OldTimespec* ts) {
    KernelTimespec wide = {ts->sec, ts->nsec};
    const int rc = fake_vdso_clock(clockid, &wide);
    *ts = {static_cast<uint32_t>(wide.sec), static_cast<int32_t>(wide.nsec)};
    return rc;
  }
#endif

#ifdef __i386__
  void (*vsyscall_)();
#endif
  VdsoImage image_;
};

}  // namespace runtime

#endif  // TESTS_FAKE_VDSO_H_
