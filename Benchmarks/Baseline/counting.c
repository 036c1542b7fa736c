#include "counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **names;
static int names_count;

void counting_start(char **all, int count) {
  names = all;
  names_count = count;
}

int counting(void) { return names_count > 0; }

int counting_includes(const char *name) {
  for (int i = 0; i < names_count; i++) {
    if (!strcmp(names[i], name)) return 1;
  }
  return !counting();
}

// The tool has callgrind count between the entry of this function and its end, which it finds by the name. The work's
// end is not this function's end, so that the compiler makes no jump of the call.
__attribute__((noinline)) long long counted_work(const Work *work) {
  volatile long long answer = work->work(work->state);
  return answer;
}

void counting_measure(const Work *work) {
  if (work->prepare) work->prepare(work->state);
  long long expected = work->work(work->state);
  long long answer = work->answer ? work->answer(work->state) : expected;
  if (work->prepare) work->prepare(work->state);
  if (counted_work(work) != expected) {
    fprintf(stderr, "%s: not %lld the second time\n", work->name, expected);
    exit(1);
  }
  printf("%s 0 0 1 %lld 0 0 0\n", work->name, answer);
  fflush(stdout);
}
