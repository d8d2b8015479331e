#include "runtime/sys/seal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>

#include "runtime/sys/readable.h"
#include "runtime/sys/sys.h"

namespace runtime {
namespace {

bool Protect(void* page) {
  return runtime_syscall(__NR_mprotect, reinterpret_cast<intptr_t>(page),
                         RUNTIME_SEAL_PAGE, PROT_READ, 0) == 0;
}

// Unprotect comes before anything is known of the vDSO: a plain system call.
bool Unprotect(void* page) {
  return PlainSyscall(__NR_mprotect, reinterpret_cast<intptr_t>(page),
                      RUNTIME_SEAL_PAGE, PROT_READ | PROT_WRITE, 0) == 0;
}

// PagesAreSmall tells whether mprotect would keep to one page: it rounds a
// length up to the kernel's pages, and the neighbours are not ours. An address
// that does not begin a page is found out first, and a length of 0 changes
// nothing (mm/mprotect.c; qemu-user answers ENOMEM).
bool PagesAreSmall() {
  return runtime_syscall(__NR_mprotect, RUNTIME_SEAL_PAGE, 0, PROT_READ, 0) !=
         -EINVAL;
}

}  // namespace

bool Seal::Open() {
  if (!closed_) return true;
  // mprotect alone is not believed: a sandbox may have answered in its place.
  if (!Unprotect(page_) || !IsWritable(scratch_)) return false;
  closed_ = false;
  return true;
}

void Seal::Close() {
  if (RUNTIME_SEAL_PAGE == 0) return;
  if (!asked_) closable_ = PagesAreSmall();
  asked_ = true;
  if (!closable_) return;
  closed_ = true;
  closed_ = Protect(page_);
}

}  // namespace runtime
