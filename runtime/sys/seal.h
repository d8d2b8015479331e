// Sealing: memory that can be written only while its owner means to.
//
// What is sealed lies alone on a page of RUNTIME_SEAL_PAGE bytes. A stray write
// to it faults where it happens, instead of sending a later reading anywhere.

#ifndef RUNTIME_SYS_SEAL_H_
#define RUNTIME_SYS_SEAL_H_

#include <stdint.h>

#include "runtime/sys/seal_page.h"

namespace runtime {

// Seal is the state of one sealed page. Threads: one at a time; the owner's
// lock sees to that. Signals: async-signal-safe.
class Seal {
 public:
  // The page begins at page and has 8 bytes to spare at scratch.
  constexpr Seal(void* page, void* scratch) : page_(page), scratch_(scratch) {}

  // Open makes the page writable. Errors: false when the kernel or a sandbox
  // does not let it; nothing may be written then.
  bool Open();

  // Close makes it read-only, as far as build, kernel and sandbox let it.
  void Close();

  // closed tells whether a stray write would fault.
  bool closed() const { return closed_; }

 private:
  void* page_;
  void* scratch_;
  bool closed_ = false;  // false: certainly writable, also in a forked child
  bool asked_ = false;   // the kernel for the size of its pages
  bool closable_ = false;
};

}  // namespace runtime

#endif  // RUNTIME_SYS_SEAL_H_
