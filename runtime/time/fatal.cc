#include "runtime/time/fatal.h"

#include <asm/unistd.h>
#include <signal.h>

#include <atomic>

#include "runtime/sys/sys.h"
#include "runtime/time/time.h"

namespace runtime {
namespace {

constexpr uint32_t kPowersOfTen[] = {
    1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};

// Line is a message put together without libc.
class Line {
 public:
  void Append(const char* text) {
    for (; *text != '\0'; ++text) Append(*text);
  }

  void Append(int32_t number) {
    if (number < 0) Append("-");
    // Unsigned, so that the smallest number has an opposite.
    uint32_t rest = number < 0 ? 0u - static_cast<uint32_t>(number)
                               : static_cast<uint32_t>(number);
    // Subtraction: a division would be libgcc's on arm.
    bool begun = false;
    for (const uint32_t power : kPowersOfTen) {
      char digit = '0';
      for (; rest >= power; rest -= power) ++digit;
      begun = begun || digit != '0' || power == 1;
      if (begun) Append(digit);
    }
  }

  const char* text() const { return text_; }  // ends with a null
  uint32_t size() const { return size_; }

 private:
  void Append(char c) {
    if (size_ == sizeof text_ - 1) return;
    text_[size_++] = c;
    text_[size_] = '\0';
  }

  char text_[96];  // not cleared: that may be a call of memset
  uint32_t size_ = 0;
};

std::atomic<runtime_FatalHook> fatal_hook{nullptr};

// Abort is abort(3) without its clean-up: SIGABRT to this thread, and whatever
// its handler does, the end.
[[noreturn]] void Abort() {
  const intptr_t pid = runtime_syscall(__NR_getpid, 0, 0, 0, 0);
  const intptr_t tid = runtime_syscall(__NR_gettid, 0, 0, 0, 0);
  runtime_syscall(__NR_tgkill, pid, tid, SIGABRT, 0);
  __builtin_trap();
}

}  // namespace

void Fatal(int32_t clockid, int error) {
  Line line;
  line.Append("nanotime: no route can read clock ");
  line.Append(clockid);
  line.Append(": errno ");
  line.Append(-error);
  line.Append("\n");
  const runtime_FatalHook hook = fatal_hook.load(std::memory_order_acquire);
  if (hook != nullptr) {
    hook(line.text());
  } else {
    runtime_syscall(__NR_write, 2, reinterpret_cast<intptr_t>(line.text()),
                    line.size(), 0);
  }
  Abort();
}

}  // namespace runtime

runtime_FatalHook runtime_setFatalHook(runtime_FatalHook hook) {
  return runtime::fatal_hook.exchange(hook, std::memory_order_acq_rel);
}
