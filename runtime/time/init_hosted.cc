// Initialises a program that has a C library, before its own constructors.

#include <elf.h>
#include <sys/auxv.h>

#include "runtime/time/init.h"

namespace runtime {
namespace {

// 101 is the first priority that is not the implementation's own (GCC manual,
// "constructor"). getauxval rather than /proc: it is always there, and a tool
// that hides the vDSO on the stack is obeyed.
__attribute__((constructor(101))) void InitTime() {
  InitFromSysinfoEhdr(getauxval(AT_SYSINFO_EHDR));
}

}  // namespace
}  // namespace runtime
