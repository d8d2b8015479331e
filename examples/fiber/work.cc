#include "examples/fiber/work.h"

#include <stdint.h>

namespace fibers {
namespace {

constexpr int kShortSteps = 100;
constexpr int kLongSteps = 1000000;
constexpr uint64_t kOneInSoManyIsLong = 2048;

// Random is a step of SplitMix64.
uint64_t Random(uint64_t* state) {
  *state += 0x9e3779b97f4a7c15;
  uint64_t z = *state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

void Work(Fiber* self, int slices) {
  const auto id = static_cast<uint64_t>(self->id());
  volatile uint64_t canary[8];  // in memory, not in registers
  for (auto& word : canary) word = id;

  uint64_t state = id;
  for (int slice = 0; slice < slices; ++slice) {
    const bool is_long = Random(&state) % kOneInSoManyIsLong == 0;
    for (int step = is_long ? kLongSteps : kShortSteps; step > 0; --step) {
      Random(&state);
      self->SafePoint();
    }
    self->Yield();
  }

  bool intact = true;
  for (const auto& word : canary) intact &= word == id;
  if (!intact) self->ReportDamage();
}

}  // namespace fibers
