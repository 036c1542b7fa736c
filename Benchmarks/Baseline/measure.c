#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "counting.h"
#include "handshake.h"
#include "memory.h"

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

double thread_cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

double wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

typedef struct {
  double cpu, wall;
  long long answer;
} Sample;

static Sample timed(const Work *work) {
  double cpu = cpu_ms(), wall = wall_ms();
  long long answer = work->work(work->state);
  Sample sample = {cpu_ms() - cpu, wall_ms() - wall, answer};
  if (work->beside) sample.cpu -= work->beside(work->state);
  return sample;
}

static Sample once(const Work *work) {
  if (work->prepare) work->prepare(work->state);
  return timed(work);
}

// What is resident before the first repetition is what the preparation has left.
static Sample first(const Work *work, long *before, long *after, long *peak) {
  if (work->prepare) work->prepare(work->state);
  *before = memory_resident();
  memory_forget_peak();
  Sample sample = timed(work);
  *after = memory_resident();
  *peak = memory_peak();
  return sample;
}

void measure(const Work *work) {
  if (!counting_includes(work->name)) return;
  if (counting()) {
    counting_measure(work);
    return;
  }
  if (handshake()) {
    handshake_measure(work);
    return;
  }
  long before, after, peak;
  Sample total = first(work, &before, &after, &peak);
  long long expected = total.answer;
  long long answer = work->answer ? work->answer(work->state) : expected;
  int repetitions = 1;
  if (total.cpu < 50) {
    total = (Sample){0};
    for (repetitions = 0; total.cpu < 200; repetitions++) {
      Sample sample = once(work);
      total.cpu += sample.cpu;
      total.wall += sample.wall;
      if (sample.answer != expected) {
        fprintf(stderr, "%s: %lld, then %lld\n", work->name, expected, sample.answer);
        exit(1);
      }
    }
  }
  printf("%s %.6f %.6f %d %lld %ld %ld %ld\n", work->name, total.cpu / repetitions, total.wall / repetitions, repetitions,
         answer, before, after, peak);
  fflush(stdout);
}

// Where instructions are counted nothing was timed.
void report_rate(const char *name, double count, double ms) {
  if (counting()) return;
  double rate = count * 1e3 / ms;
  printf("%s %.6f %.6f 1 0 0 0 0\n", name, rate, rate);
  fflush(stdout);
}
