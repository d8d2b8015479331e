// What the assembly entry points share with C++. m.cc holds the values against
// the headers that they come from.

#ifndef RUNTIME_TIME_ASM_CONSTANTS_H_
#define RUNTIME_TIME_ASM_CONSTANTS_H_

// Source: <time.h>, clock_gettime(2).
#define RUNTIME_CLOCK_REALTIME 0
#define RUNTIME_CLOCK_MONOTONIC 1
#define RUNTIME_CLOCK_MONOTONIC_RAW 4
#define RUNTIME_CLOCK_REALTIME_COARSE 5
#define RUNTIME_CLOCK_MONOTONIC_COARSE 6
#define RUNTIME_CLOCK_BOOTTIME 7
#define RUNTIME_CLOCK_TAI 11

#define RUNTIME_NSEC_PER_SEC 1000000000
#define RUNTIME_NSEC_MAX 999999999

// What sec is set to before a route is called, like nsec to -1: the first
// second that 64 bits can tell, 292 billion years ago. Its upper half says it
// as well.
#define RUNTIME_SEC_UNWRITTEN 0x8000000000000000
#define RUNTIME_SEC_UNWRITTEN_HI 0x80000000

// Offsets in runtime_M, in Go's spelling.
#define m_vdsoFP 0
#ifdef __LP64__
#define m_vdsoStackHi 8
#define m_signalStackLo 24
#define m_signalStackSize 32
#define m_held 48
#else
#define m_vdsoStackHi 4
#define m_signalStackLo 12
#define m_signalStackSize 16
#define m_held 24
#endif

// Offsets in runtime_Held.
#define held_coarseSec 0
#define held_coarseNsec 8
#define held_sec 16
#define held_nsec 24
#define held_generation 32

// Offsets in RoutePage.
#define page_inUse 0
#ifdef __LP64__
#define page_generation 8
#else
#define page_generation 4
#endif

// Offsets in KernelTimespec, and its size.
#define ts_sec 0
#define ts_nsec 8
#define ts_size 16

#endif  // RUNTIME_TIME_ASM_CONSTANTS_H_
