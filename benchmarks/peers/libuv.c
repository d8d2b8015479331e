// libuv's reading as a peer: see protocol.py.

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

static const char kRow[] = "libuv/uv_hrtime";
static const unsigned kWarmUp = 100000;

static volatile uint64_t sink;

static void batch(unsigned n) {
  uint64_t sum = 0;
  for (; n != 0; --n) sum += uv_hrtime();
  sink = sum;
}

int main(void) {
  batch(kWarmUp);
  printf("ready %s\n", kRow);
  fflush(stdout);
  char line[256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char name[sizeof line];
    unsigned n = 0;
    if (sscanf(line, "%255s %u", name, &n) != 2 || n == 0 ||
        strcmp(name, kRow) != 0) {
      fprintf(stderr, "bad request: %s", line);
      return 1;
    }
    batch(n / 8);  // what ran meanwhile has taken the caches
    const uint64_t before = uv_hrtime();
    batch(n);
    printf("%.4f\n", (double)(uv_hrtime() - before) / n);
    fflush(stdout);
  }
  return 0;
}
