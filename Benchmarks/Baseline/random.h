// Marsaglia's xorshift64, the same numbers as the framework's side makes.
#ifndef RANDOM_H
#define RANDOM_H
#include <stdint.h>

void random_start(uint64_t seed);
uint32_t random_next(void);

#endif
