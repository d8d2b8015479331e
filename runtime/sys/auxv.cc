#include "runtime/sys/auxv.h"

#include <asm/unistd.h>
#include <elf.h>
#include <fcntl.h>

#include "runtime/sys/readable.h"
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

// kMaxInterruptions bounds what a sandbox that always says EINTR can cost.
constexpr int kMaxInterruptions = 100;

bool ReadAll(intptr_t fd, char* out, size_t size, size_t* done) {
  *done = 0;
  for (int interruptions = 0; *done < size;) {
    const intptr_t n =
        runtime_syscall(__NR_read, fd, reinterpret_cast<intptr_t>(out + *done),
                        static_cast<intptr_t>(size - *done), 0);
    if (n == kEintr && ++interruptions <= kMaxInterruptions) continue;
    if (n < 0 || static_cast<size_t>(n) > size - *done) return false;
    if (n == 0) break;
    *done += static_cast<size_t>(n);
  }
  return true;
}

// WordReader reads words one after the other, and asks once a page whether it
// may.
class WordReader {
 public:
  explicit WordReader(const void* start)
      : next_(static_cast<const uintptr_t*>(start)) {}

  // Read fails at the end of what can be read, and when words are misaligned.
  bool Read(uintptr_t* word) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(next_);
    if (at % sizeof(uintptr_t) != 0) return false;
    if ((at & ~kPageMask) != known_page_ || known_page_ == 0) {
      if (!IsReadable(at, at + sizeof(uintptr_t))) return false;
      known_page_ = at & ~kPageMask;
    }
    *word = *next_++;
    return true;
  }

  const void* next() const { return next_; }

 private:
  static constexpr uintptr_t kPageMask = 4095;

  const uintptr_t* next_;
  uintptr_t known_page_ = 0;
};

// SkipToNull moves behind the next null word and counts those before it.
bool SkipToNull(WordReader* reader, size_t* count) {
  uintptr_t word;
  for (*count = 0; *count < kMaxStackWords; ++*count) {
    if (!reader->Read(&word)) return false;
    if (word == 0) return true;
  }
  return false;
}

}  // namespace

const AuxvEntry* AuxvFromStack(const void* stack) {
  if (stack == nullptr) return nullptr;
  WordReader reader(stack);
  uintptr_t argc;
  size_t argv_size, envp_size;
  // argc is not believed: argv ends where its null is.
  if (!reader.Read(&argc) || !SkipToNull(&reader, &argv_size) ||
      argv_size != argc || !SkipToNull(&reader, &envp_size)) {
    return nullptr;
  }
  return static_cast<const AuxvEntry*>(reader.next());
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
  WordReader reader(auxv);
  for (size_t i = 0; i < kMaxAuxvEntries; ++i) {
    uintptr_t found, value;
    if (!reader.Read(&found) || !reader.Read(&value)) return 0;
    if (found == AT_NULL) return 0;
    if (found == type) return value;
  }
  return 0;
}

}  // namespace runtime
