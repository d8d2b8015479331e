// The symbol table of the arch that is compiled for.

#ifndef RUNTIME_VDSO_VDSO_LINUX_ARCH_H_
#define RUNTIME_VDSO_VDSO_LINUX_ARCH_H_

#if defined(__x86_64__)
#include "runtime/vdso/vdso_linux_amd64.h"
#elif defined(__i386__)
#include "runtime/vdso/vdso_linux_386.h"
#elif defined(__aarch64__)
#include "runtime/vdso/vdso_linux_arm64.h"
#elif defined(__arm__)
#include "runtime/vdso/vdso_linux_arm.h"
#else
#error "no such architecture"
#endif

#endif  // RUNTIME_VDSO_VDSO_LINUX_ARCH_H_
