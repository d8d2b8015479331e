#ifndef TESTS_DLOPEN_LIBRARY_H_
#define TESTS_DLOPEN_LIBRARY_H_

#include <stdint.h>

extern "C" {

// dlopen_library_load_time returns what runtime_nanotime has returned to a
// constructor of the library.
int64_t dlopen_library_load_time(void);

}  // extern "C"

#endif  // TESTS_DLOPEN_LIBRARY_H_
