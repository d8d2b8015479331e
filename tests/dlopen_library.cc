// A shared library that embeds the component, for dlopen_test.

#include "tests/dlopen_library.h"

#include "runtime/time/time.h"

namespace {

int64_t load_time = 0;

// A constructor like any other: the component's own has run before it.
__attribute__((constructor)) void ReadAtLoad() {
  load_time = runtime_nanotime();
}

}  // namespace

int64_t dlopen_library_load_time(void) { return load_time; }
