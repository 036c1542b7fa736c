#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static double wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

typedef struct {
  double cpu, wall;
  long long answer;
} Sample;

static Sample once(const Work *work) {
  if (work->prepare) work->prepare(work->state);
  double cpu = cpu_ms(), wall = wall_ms();
  long long answer = work->work(work->state);
  return (Sample){cpu_ms() - cpu, wall_ms() - wall, answer};
}

void measure(const Work *work) {
  Sample total = once(work);
  long long answer = total.answer;
  int repetitions = 1;
  if (total.cpu < 50) {
    total = (Sample){0};
    for (repetitions = 0; total.cpu < 200; repetitions++) {
      Sample sample = once(work);
      total.cpu += sample.cpu;
      total.wall += sample.wall;
      if (sample.answer != answer) {
        fprintf(stderr, "%s: %lld, then %lld\n", work->name, answer, sample.answer);
        exit(1);
      }
    }
  }
  printf("%s %.6f %.6f %d %lld\n", work->name, total.cpu / repetitions, total.wall / repetitions, repetitions, answer);
  fflush(stdout);
}
