// A user of the public header in C: it must compile as C11 without warnings.

#include "tests/time_h_user.h"

#include "runtime/time/time.h"

static void OnFatal(const char* message) {
  (void)message;
  for (;;) {
  }
}

int UseTimeH(void) {
  static _Alignas(16) char stack[RUNTIME_VDSO_STACK_MIN];
  runtime_M m;
  uintptr_t pc = 0;
  uintptr_t sp;

  const int64_t nanotime = runtime_nanotime();
  const runtime_Walltime walltime = runtime_walltime();
  const runtime_Now now = runtime_now();
  if (nanotime <= 0 || now.mono < nanotime) return __LINE__;
  if (walltime.nsec < 0 || walltime.nsec >= 1000000000) return __LINE__;
  if (now.sec < walltime.sec) return __LINE__;

  if (runtime_initM(&m, stack, sizeof stack - 1) == 0) return __LINE__;
  if (runtime_initM(&m, stack, sizeof stack) != 0) return __LINE__;
  if (runtime_nanotimeM(&m) < nanotime) return __LINE__;
  if (runtime_walltimeM(&m).sec < walltime.sec) return __LINE__;
  if (runtime_nowM(NULL).mono < now.mono) return __LINE__;
  if (runtime_vdsoFrame(&m, &pc, &sp) != 0) return __LINE__;

  if (runtime_attach(stack, sizeof stack) != 0) return __LINE__;
  if (runtime_nanotime() < nanotime) return __LINE__;
  runtime_resetM(runtime_currentM(), runtime_markM(runtime_currentM()));
  if (runtime_inReading(runtime_currentM(), pc) != 0) return __LINE__;
  if (runtime_inVDSO(pc) != 0) return __LINE__;
  runtime_detach();
  if (runtime_attachAlloc(0) != 0) return __LINE__;
  if (runtime_nanotime() < nanotime) return __LINE__;
  runtime_detachFree();

  if (runtime_setFatalHook(OnFatal) != NULL) return __LINE__;
  if (runtime_setFatalHook(NULL) != OnFatal) return __LINE__;
  return 0;
}
