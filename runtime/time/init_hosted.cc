// Initialises a program that has a C library, before its own constructors.

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/time/init.h"

namespace runtime {
namespace {

constexpr char kVariable[] = "RUNTIME_TIME_ROUTE";

struct RouteName {
  const char* name;
  int route;
};
constexpr RouteName kRouteNames[] = {{"auto", RUNTIME_ROUTE_AUTO},
                                     {"vdso", RUNTIME_ROUTE_VDSO},
                                     {"syscall", RUNTIME_ROUTE_SYSCALL}};

void Complain(const char* value, const char* why) {
  dprintf(STDERR_FILENO, "nanotime: %s=%.80s: %s\n", kVariable, value, why);
}

// 101 is the first priority that is not the implementation's own (GCC manual,
// "constructor"). getauxval rather than /proc: it is always there, and a tool
// that hides the vDSO on the stack is obeyed.
__attribute__((constructor(101))) void InitTime() {
  const uintptr_t sysinfo_ehdr = getauxval(AT_SYSINFO_EHDR);
  const char* const value = secure_getenv(kVariable);
  if (value != nullptr && *value != '\0') {
    for (const RouteName& name : kRouteNames) {
      if (strcmp(value, name.name) != 0) continue;
      if (InitForced(sysinfo_ehdr, name.route) == 0) return;
      Complain(value, "no vDSO that can be used; using the syscall");
      InitFromSysinfoEhdr(sysinfo_ehdr);
      return;
    }
    Complain(value, "neither auto, vdso nor syscall; using auto");
  }
  InitFromSysinfoEhdr(sysinfo_ehdr);
}

}  // namespace
}  // namespace runtime
