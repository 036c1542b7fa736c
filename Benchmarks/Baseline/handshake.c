#include "handshake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int handshake(void) { return getenv("BENCHMARKS_HANDSHAKE") != NULL; }

void handshake_measure(const Work *work) {
  char line[64];
  for (int isFirst = 1;; isFirst = 0) {
    if (work->prepare) work->prepare(work->state);
    if (!isFirst) {
      printf("begin %s\n", work->name);
      fflush(stdout);
      if (!fgets(line, sizeof line, stdin) || strcmp(line, "go\n")) return;
    }
    double wall = wall_ms();
    long long answer = work->work(work->state);
    wall = wall_ms() - wall;
    if (isFirst) continue;
    printf("end %s %.6f %lld\n", work->name, wall, answer);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return;
  }
}
