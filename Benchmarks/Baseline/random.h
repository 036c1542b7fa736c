// Marsaglia's xorshift64, the same numbers as the framework's side makes.
#ifndef RANDOM_H
#define RANDOM_H
#include <stdint.h>

void random_start(uint64_t seed);
uint32_t random_next(void);
// The numbers from 1 to count in random order, to be freed.
int64_t *random_order(int count, uint64_t seed);

#endif
