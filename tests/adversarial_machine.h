// What the processor has, and the state that a callee has to preserve beside
// the registers.

#ifndef TESTS_ADVERSARIAL_MACHINE_H_
#define TESTS_ADVERSARIAL_MACHINE_H_

#include <stdint.h>
#include <sys/auxv.h>

#include "tests/adversarial.h"

namespace runtime {

// AdversarialFeatures returns what adversarial_features is to be.
inline int32_t AdversarialFeatures() {
  int32_t features = 0;
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();  // asks the kernel's part, too: xgetbv
  if (__builtin_cpu_supports("sse2")) features |= ADVERSARIAL_SSE;
  if (__builtin_cpu_supports("avx")) features |= ADVERSARIAL_AVX;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    features |= ADVERSARIAL_AVX512;
  }
#elif defined(__arm__)
  constexpr unsigned long kHwcapNeon = 1 << 12;  // <asm/hwcap.h>
  if ((getauxval(AT_HWCAP) & kHwcapNeon) != 0) features |= ADVERSARIAL_NEON;
#endif
  return features;
}

// ControlWords are those of the floating-point units, without what arithmetic
// sets: x86's MXCSR and x87 control word, the arms' FPSCR and FPCR.
struct ControlWords {
  uint32_t vector;
  uint16_t x87;
  bool operator==(const ControlWords& other) const {
    return vector == other.vector && x87 == other.x87;
  }
};

// kRounding is the rounding mode of each.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr ControlWords kRounding = {0x6000, 0xc00};
#else
inline constexpr ControlWords kRounding = {3 << 22, 0};
#endif

// RoundedOtherwise returns words with the rounding mode inverted.
inline ControlWords RoundedOtherwise(const ControlWords& words) {
  return {words.vector ^ kRounding.vector,
          static_cast<uint16_t>(words.x87 ^ kRounding.x87)};
}

inline ControlWords GetControlWords() {
  ControlWords words = {};
#if defined(__x86_64__) || defined(__i386__)
  __asm__ volatile("fnstcw %0" : "=m"(words.x87));
  if ((AdversarialFeatures() & ADVERSARIAL_SSE) != 0) {
    __asm__ volatile("stmxcsr %0" : "=m"(words.vector));
  }
  words.vector &= ~uint32_t{0x3f};  // exceptions
#elif defined(__aarch64__)
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  words.vector = static_cast<uint32_t>(fpcr);
#elif defined(__arm__)
  __asm__ volatile("vmrs %0, fpscr" : "=r"(words.vector));
  words.vector &= ~uint32_t{0xf800009f};  // conditions and exceptions
#endif
  return words;
}

inline void SetControlWords(const ControlWords& words) {
#if defined(__x86_64__) || defined(__i386__)
  __asm__ volatile("fldcw %0" : : "m"(words.x87));
  if ((AdversarialFeatures() & ADVERSARIAL_SSE) != 0) {
    __asm__ volatile("ldmxcsr %0" : : "m"(words.vector));
  }
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(uint64_t{words.vector}));
#elif defined(__arm__)
  __asm__ volatile("vmsr fpscr, %0" : : "r"(words.vector));
#endif
}

}  // namespace runtime

#endif  // TESTS_ADVERSARIAL_MACHINE_H_
