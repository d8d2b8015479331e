// Stopping this thread at its own instructions, by a signal at each.

#ifndef TESTS_STEPPER_H_
#define TESTS_STEPPER_H_

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <vector>

#include "tests/machine_context.h"

namespace runtime {

#if defined(__x86_64__) || defined(__i386__)

// Stepper sends SIGTRAP at every instruction between Start and Stop.
class Stepper {
 public:
  // Runs is how often the code has to run to be stopped everywhere.
  explicit Stepper(const std::vector<uintptr_t>&) {}
  size_t runs() const { return 1; }

  [[gnu::always_inline]] static inline void Start(size_t, uintptr_t) {
    SetFlags(Flags() | kTrapFlag);
  }
  [[gnu::always_inline]] static inline void Stop() {
    SetFlags(Flags() & ~kTrapFlag);
  }

  // OnSignal and OnReturn are the first and the last thing that the handler
  // does; between them nothing is stopped.
  void OnSignal(const ucontext_t&) {}
  void OnReturn() {}

 private:
  static constexpr uintptr_t kTrapFlag = 0x100;

#ifdef __x86_64__
  [[gnu::always_inline]] static inline uintptr_t Flags() {
    return __builtin_ia32_readeflags_u64();
  }
  [[gnu::always_inline]] static inline void SetFlags(uintptr_t flags) {
    __builtin_ia32_writeeflags_u64(flags);
  }
#else
  [[gnu::always_inline]] static inline uintptr_t Flags() {
    return __builtin_ia32_readeflags_u32();
  }
  [[gnu::always_inline]] static inline void SetFlags(uintptr_t flags) {
    __builtin_ia32_writeeflags_u32(flags);
  }
#endif
};

#else

// Stepper sends SIGTRAP (or, emulated, SIGILL) at one of the instructions in
// each run, and at the first one of the function under test. They are executed
// afterwards.
class Stepper {
 public:
  explicit Stepper(const std::vector<uintptr_t>& instructions)
      : instructions_(instructions) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const uintptr_t begin = instructions.front() & ~(page - 1);
    const uintptr_t end = (instructions.back() | (page - 1)) + 1;
    if (mprotect(reinterpret_cast<void*>(begin), end - begin,
                 PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
      abort();
    }
  }
  size_t runs() const { return instructions_.size(); }

  void Start(size_t run, uintptr_t function) {
    Set(function);
    Set(instructions_[run]);
  }
  void Stop() {
    while (!set_.empty()) Clear(set_.back().address);
  }

  void OnSignal(const ucontext_t& context) {
    Clear(InterruptedAt(&context));
    for (const Breakpoint& other : set_)
      Write(other.address, other.instruction);
  }
  void OnReturn() {
    for (const Breakpoint& other : set_) Write(other.address, kBreak);
  }

 private:
  struct Breakpoint {
    uintptr_t address;
    uint32_t instruction;
  };

#ifdef __aarch64__
  static constexpr uint32_t kBreak = 0xd4200000;  // brk #0
#else
  static constexpr uint32_t kBreak = 0xe7f001f0;  // what Linux takes for one
#endif

  void Set(uintptr_t address) {
    for (const Breakpoint& other : set_) {
      if (other.address == address) return;
    }
    set_.push_back({address, Write(address, kBreak)});
  }

  void Clear(uintptr_t address) {
    for (size_t i = 0; i < set_.size(); ++i) {
      if (set_[i].address != address) continue;
      Write(address, set_[i].instruction);
      set_[i] = set_.back();
      set_.pop_back();
      return;
    }
    abort();  // somebody else's
  }

  // Write returns what was there.
  static uint32_t Write(uintptr_t address, uint32_t instruction) {
    char* const at = reinterpret_cast<char*>(address);
    uint32_t old;
    memcpy(&old, at, sizeof old);
    memcpy(at, &instruction, sizeof instruction);
    __builtin___clear_cache(at, at + sizeof instruction);
    return old;
  }

  std::vector<uintptr_t> instructions_;
  std::vector<Breakpoint> set_;
};

#endif

}  // namespace runtime

#endif  // TESTS_STEPPER_H_
