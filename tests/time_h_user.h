#ifndef TESTS_TIME_H_USER_H_
#define TESTS_TIME_H_USER_H_

#ifdef __cplusplus
extern "C" {
#endif

// UseTimeH calls everything in runtime/time/time.h but the initialisers, from
// C. Returns 0, or the line that failed.
int UseTimeH(void);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_TIME_H_USER_H_
