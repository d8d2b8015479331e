#include "runtime/sys/auxv.h"

#include <asm/unistd.h>
#include <elf.h>
#include <fcntl.h>

#include "runtime/sys/sys.h"

namespace runtime {
namespace {

// kMaxStackWords bounds the walk over argv and envp: ARG_MAX allows 6 MiB of
// strings, so a longer pointer array is not the initial stack.
constexpr size_t kMaxStackWords = size_t{6} << 20;

constexpr intptr_t kEintr = -4;

// A shift, because Clang -O0 calls libgcc for every division on arm.
constexpr size_t kEntryShift = sizeof(void*) == 8 ? 4 : 3;
static_assert(sizeof(AuxvEntry) == size_t{1} << kEntryShift);

bool ReadAll(intptr_t fd, char* out, size_t size, size_t* done) {
  *done = 0;
  while (*done < size) {
    const intptr_t n =
        runtime_syscall(__NR_read, fd, reinterpret_cast<intptr_t>(out + *done),
                        static_cast<intptr_t>(size - *done), 0);
    if (n == kEintr) continue;
    if (n < 0) return false;
    if (n == 0) break;
    *done += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

const AuxvEntry* AuxvFromStack(const void* stack) {
  if (stack == nullptr) return nullptr;
  const auto* words = static_cast<const uintptr_t*>(stack);
  const uintptr_t argc = words[0];
  // Word by word: argc is not believed, and argv ends where its null is.
  size_t i = 1;
  while (words[i] != 0) {
    if (++i > kMaxStackWords) return nullptr;
  }
  if (i - 1 != argc) return nullptr;
  ++i;  // envp
  while (words[i] != 0) {
    if (++i > kMaxStackWords) return nullptr;
  }
  return reinterpret_cast<const AuxvEntry*>(words + i + 1);
}

bool ReadProcAuxv(AuxvEntry* entries) {
  entries[0] = {AT_NULL, 0};
  static constexpr char kPath[] = "/proc/self/auxv";
  const intptr_t fd =
      runtime_syscall(__NR_openat, AT_FDCWD, reinterpret_cast<intptr_t>(kPath),
                      O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return false;
  size_t size = 0;
  const bool ok = ReadAll(fd, reinterpret_cast<char*>(entries),
                          (kMaxAuxvEntries - 1) * sizeof(AuxvEntry), &size);
  runtime_syscall(__NR_close, fd, 0, 0, 0);
  // A pair that was cut short ends the vector.
  entries[ok ? size >> kEntryShift : 0] = {AT_NULL, 0};
  return ok && size >= sizeof(AuxvEntry);
}

uintptr_t AuxvValue(const AuxvEntry* auxv, uintptr_t type) {
  for (size_t i = 0; i < kMaxAuxvEntries && auxv[i].type != AT_NULL; ++i) {
    if (auxv[i].type == type) return auxv[i].value;
  }
  return 0;
}

}  // namespace runtime
