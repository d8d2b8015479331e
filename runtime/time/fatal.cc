#include "runtime/time/fatal.h"

#include <asm/unistd.h>
#include <signal.h>

#include <atomic>

#include "runtime/sys/sys.h"
#include "runtime/time/time.h"

namespace runtime {
namespace {

// Line is a message put together without libc.
class Line {
 public:
  void Append(const char* text) {
    for (; *text != '\0' && size_ < sizeof text_ - 1; ++text)
      text_[size_++] = *text;
  }

  void Append(int32_t number) {
    if (number < 0) Append("-");
    // Unsigned, so that the smallest number has an opposite.
    uint32_t rest = number < 0 ? 0u - static_cast<uint32_t>(number)
                               : static_cast<uint32_t>(number);
    char digits[11] = {};
    char* first = &digits[sizeof digits - 1];
    do {
      *--first = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    Append(first);
  }

  const char* text() const { return text_; }
  uint32_t size() const { return size_; }

 private:
  char text_[96] = {};
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
