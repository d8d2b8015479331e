// The registers of a thread that a signal has interrupted, by the names that
// readelf gives them.

#ifndef TESTS_MACHINE_CONTEXT_H_
#define TESTS_MACHINE_CONTEXT_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include <map>
#include <string>

namespace runtime {

using Registers = std::map<std::string, uintptr_t>;

#if defined(__x86_64__)

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& r = context.uc_mcontext.gregs;
  const auto at = [&r](int i) { return static_cast<uintptr_t>(r[i]); };
  return {{"rsp", at(REG_RSP)}, {"rbp", at(REG_RBP)}, {"rbx", at(REG_RBX)},
          {"r12", at(REG_R12)}, {"r13", at(REG_R13)}, {"r14", at(REG_R14)},
          {"r15", at(REG_R15)}, {"pc", at(REG_RIP)}};
}

inline constexpr char kStackPointer[] = "rsp";
inline constexpr char kFramePointer[] = "rbp";

#elif defined(__i386__)

inline Registers RegistersOf(const ucontext_t& context) {
  const auto& r = context.uc_mcontext.gregs;
  const auto at = [&r](int i) { return static_cast<uintptr_t>(r[i]); };
  return {{"esp", at(REG_ESP)}, {"ebp", at(REG_EBP)}, {"ebx", at(REG_EBX)},
          {"esi", at(REG_ESI)}, {"edi", at(REG_EDI)}, {"pc", at(REG_EIP)}};
}

inline constexpr char kStackPointer[] = "esp";
inline constexpr char kFramePointer[] = "ebp";

#elif defined(__aarch64__)

inline Registers RegistersOf(const ucontext_t& context) {
  const mcontext_t& m = context.uc_mcontext;
  Registers registers = {{"sp", m.sp}, {"pc", m.pc}, {"ra", m.regs[30]}};
  for (int i = 19; i < 30; ++i) {
    registers["x" + std::to_string(i)] = m.regs[i];
  }
  return registers;
}

inline constexpr char kStackPointer[] = "sp";
inline constexpr char kFramePointer[] = "x29";

#elif defined(__arm__)

inline Registers RegistersOf(const ucontext_t& context) {
  const mcontext_t& m = context.uc_mcontext;
  return {{"r4", m.arm_r4},   {"r5", m.arm_r5},  {"r6", m.arm_r6},
          {"r7", m.arm_r7},   {"r8", m.arm_r8},  {"r9", m.arm_r9},
          {"r10", m.arm_r10}, {"r11", m.arm_fp}, {"r13", m.arm_sp},
          {"pc", m.arm_pc},   {"ra", m.arm_lr}};
}

inline constexpr char kStackPointer[] = "r13";
inline constexpr char kFramePointer[] = "r11";

#endif

// SignalFrameSize returns what the kernel needs on a handler's stack, as far as
// it says so: 0 from those whose frames fit in the old MINSIGSTKSZ.
inline size_t SignalFrameSize() {
#ifdef AT_MINSIGSTKSZ
  return getauxval(AT_MINSIGSTKSZ);
#else
  return 0;
#endif
}

// InterruptedAt returns where, given what a signal handler is given.
inline uintptr_t InterruptedAt(const void* context) {
  const mcontext_t& m = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(m.gregs[REG_RIP]);
#elif defined(__i386__)
  return static_cast<uintptr_t>(m.gregs[REG_EIP]);
#elif defined(__aarch64__)
  return m.pc;
#elif defined(__arm__)
  return m.arm_pc;
#endif
}

// InterruptedStack returns the stack pointer there.
inline uintptr_t InterruptedStack(const void* context) {
  const mcontext_t& m = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(m.gregs[REG_RSP]);
#elif defined(__i386__)
  return static_cast<uintptr_t>(m.gregs[REG_ESP]);
#elif defined(__aarch64__)
  return m.sp;
#elif defined(__arm__)
  return m.arm_sp;
#endif
}

}  // namespace runtime

#endif  // TESTS_MACHINE_CONTEXT_H_
