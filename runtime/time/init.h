#ifndef RUNTIME_TIME_INIT_H_
#define RUNTIME_TIME_INIT_H_

#include <stdint.h>

namespace runtime {

// InitFromSysinfoEhdr is runtime_timeInit, given the value of AT_SYSINFO_EHDR;
// 0 when there is none.
int InitFromSysinfoEhdr(uintptr_t sysinfo_ehdr);

}  // namespace runtime

#endif  // RUNTIME_TIME_INIT_H_
