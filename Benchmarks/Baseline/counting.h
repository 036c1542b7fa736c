// Counting of instructions under callgrind: instead of being timed, each work is done twice, and the second time is counted.
#ifndef COUNTING_H
#define COUNTING_H
#include "measure.h"

// Counts the works of these names from now on, and leaves out all others.
void counting_start(char **names, int count);
// Whether instructions are counted. Works of linear cost are smaller then, since callgrind takes fifty times as long.
int counting(void);
// Whether this work is done in this process.
int counting_includes(const char *name);
// Does the work once uncounted, then counted, and prints what measure() prints, with zeros for time and memory.
void counting_measure(const Work *work);

#endif
