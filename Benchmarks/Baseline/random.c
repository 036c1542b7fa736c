#include "random.h"

static uint64_t state;

void random_start(uint64_t seed) { state = seed; }

uint32_t random_next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11);
}
