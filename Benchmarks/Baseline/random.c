#include "random.h"

#include <stdlib.h>

static uint64_t state;

void random_start(uint64_t seed) { state = seed; }

uint32_t random_next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11);
}

int64_t *random_order(int count, uint64_t seed) {
  int64_t *numbers = malloc(count * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = i + 1;
  random_start(seed);
  for (int i = count - 1; i > 0; i--) {
    int other = random_next() % (i + 1);
    int64_t number = numbers[i];
    numbers[i] = numbers[other];
    numbers[other] = number;
  }
  return numbers;
}
