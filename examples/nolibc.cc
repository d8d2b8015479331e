// A program without a C library: -nostdlib -static, and a _start of its own
// (start_linux_<arch>.S). It does what the embedder of //runtime/time:core has
// to do, and prints what it reads:
//
//   nanotime 123456789012
//   walltime 1790000000.123456789
//   route vdso

#include <asm/unistd.h>
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/sys/auxv.h"
#include "runtime/sys/sys.h"
#include "runtime/time/time.h"

#pragma GCC visibility push(hidden)
extern "C" {

// nolibc_main is the program. stack: as the kernel made it.
[[noreturn]] void nolibc_main(const void* stack);

// nolibc_set_thread_pointer returns 0 or a negative errno.
intptr_t nolibc_set_thread_pointer(uintptr_t thread_pointer);

}  // extern "C"
#pragma GCC visibility pop

namespace {

#ifdef __LP64__
using Phdr = Elf64_Phdr;
#else
using Phdr = Elf32_Phdr;
#endif

[[noreturn]] void Exit(int code) {
  for (;;) runtime::runtime_syscall(__NR_exit_group, code, 0, 0, 0);
}

// Line is a line of output, put together and written in one piece.
class Line {
 public:
  Line& Append(const char* text) {
    for (; *text != '\0'; ++text) Append(*text);
    return *this;
  }

  // Append writes at least min_digits digits. It doubles a decimal number bit
  // by bit: a division of 64 bits would be libgcc's on 386 and arm.
  Line& Append(uint64_t number, int min_digits) {
    constexpr int kDigits = 20;  // of 2^64
    char digits[kDigits];
    for (char& digit : digits) digit = 0;
    for (int bit = 63; bit >= 0; --bit) {
      int carry = static_cast<int>(number >> bit & 1);
      for (char& digit : digits) {  // the lowest first
        const int doubled = 2 * digit + carry;
        carry = doubled >= 10 ? 1 : 0;
        digit = static_cast<char>(doubled - 10 * carry);
      }
    }
    int size = kDigits;
    while (size > min_digits && digits[size - 1] == 0) --size;
    while (size > 0) Append(static_cast<char>('0' + digits[--size]));
    return *this;
  }

  // Write ends the line. Errors: false when it could not be written.
  bool Write(int fd) {
    Append('\n');
    return runtime::runtime_syscall(
               __NR_write, fd, reinterpret_cast<intptr_t>(text_),
               static_cast<intptr_t>(size_), 0) == static_cast<intptr_t>(size_);
  }

 private:
  void Append(char c) {
    if (size_ < sizeof text_) text_[size_++] = c;
  }

  char text_[80];
  size_t size_ = 0;
};

// Check ends the program when it cannot go on.
void Check(bool ok, const char* what) {
  if (ok) return;
  Line line;
  line.Append("nolibc: ").Append(what).Write(2);
  Exit(1);
}

// FindTls returns the segment that thread-local storage starts from. The
// addresses in it are absolute: this program is not position-independent.
const Phdr* FindTls(const runtime::AuxvEntry* auxv) {
  const uintptr_t address = runtime::AuxvValue(auxv, AT_PHDR);
  const uintptr_t count = runtime::AuxvValue(auxv, AT_PHNUM);
  const auto* phdrs = reinterpret_cast<const Phdr*>(address);
  for (uintptr_t i = 0; address != 0 && i < count; ++i) {
    if (phdrs[i].p_type == PT_TLS) return &phdrs[i];
  }
  return nullptr;
}

constexpr uintptr_t AlignUp(uintptr_t value, uintptr_t align) {
  return (value + align - 1) & ~(align - 1);
}

// The one thread's block. All of its thread-local storage is the core's: a
// pointer.
constexpr uintptr_t kMaxTlsAlign = 16;
alignas(kMaxTlsAlign) char tls_block[256];

// SetUpTls lays the block out as the linker has assumed. Source: Drepper, "ELF
// Handling For Thread-Local Storage", 3; for the TCB, the arches' psABIs.
void SetUpTls(const Phdr* tls) {
  const uintptr_t block = reinterpret_cast<uintptr_t>(tls_block);
  const uintptr_t align = tls->p_align > 1 ? tls->p_align : 1;
#if defined(__x86_64__) || defined(__i386__)
  // Variant II: the storage lies below the thread pointer, and the word there
  // points to itself.
  const uintptr_t storage = block;
  const uintptr_t thread_pointer = block + AlignUp(tls->p_memsz, align);
  const uintptr_t end = thread_pointer + sizeof(uintptr_t);
#else
  // Variant I: the storage lies above the thread pointer, behind a TCB of two
  // words.
  const uintptr_t thread_pointer = block;
  const uintptr_t storage = block + AlignUp(2 * sizeof(uintptr_t), align);
  const uintptr_t end = storage + tls->p_memsz;
#endif
  Check(align <= kMaxTlsAlign && end <= block + sizeof tls_block,
        "the TLS segment is too large");
  // Volatile, or the compiler makes a call of memcpy out of the loop.
  auto* to = reinterpret_cast<volatile char*>(storage);
  const auto* from = reinterpret_cast<const char*>(tls->p_vaddr);
  for (uintptr_t i = 0; i < tls->p_filesz; ++i) to[i] = from[i];
#if defined(__x86_64__) || defined(__i386__)
  *reinterpret_cast<uintptr_t*>(thread_pointer) = thread_pointer;
#endif
  Check(nolibc_set_thread_pointer(thread_pointer) == 0,
        "the kernel sets no thread pointer");
}

}  // namespace

void nolibc_main(const void* stack) {
  // Nothing of the core but its auxiliary vector and its traps may be used
  // before there is a thread pointer.
  const runtime::AuxvEntry* const auxv = runtime::AuxvFromStack(stack);
  Check(auxv != nullptr, "no auxiliary vector on the stack");
  const Phdr* const tls = FindTls(auxv);
  Check(tls != nullptr, "no TLS segment");
  SetUpTls(tls);

  const bool vdso = runtime_timeInitFromStack(stack) != 0;
  alignas(16) static char vdso_stack[RUNTIME_VDSO_STACK_MIN];
  Check(runtime_currentM()->vdsoStackHi == 0, "thread-local storage is not 0");
  Check(runtime_attach(vdso_stack, sizeof vdso_stack) == 0,
        "the stack does not suit");
  Check(runtime_currentM()->vdsoStackHi != 0,
        "thread-local storage does not hold");

  const int64_t mono = runtime_nanotime();
  const runtime_Walltime wall = runtime_walltime();
  Check(mono >= 0 && wall.sec >= 0, "a clock before its origin");
  Line lines[3];
  lines[0].Append("nanotime ").Append(static_cast<uint64_t>(mono), 1);
  lines[1].Append("walltime ").Append(static_cast<uint64_t>(wall.sec), 1);
  lines[1].Append(".").Append(static_cast<uint64_t>(wall.nsec), 9);
  lines[2].Append("route ").Append(vdso ? "vdso" : "syscall");
  for (Line& line : lines) {
    Check(line.Write(1), "standard output cannot be written");
  }
  runtime_detach();
  Exit(0);
}
