// CPU time and memory of a piece of work, the way the Swift side takes them.
#ifndef MEASURE_H
#define MEASURE_H

typedef struct {
  const char *name;
  void *state;
  void (*prepare)(void *state);     // before each repetition, not counted; may be NULL
  long long (*work)(void *state);   // gives the answer, for comparison
  long long (*answer)(void *state);  // after the first repetition, not counted: gives the answer instead; may be NULL
  double (*beside)(void *state);     // CPU ms that other threads took in the repetition, which are left out; may be NULL
} Work;

// Runs the work once; if that took less than 50 ms of CPU, again and again until it has taken 200.
// Prints: name, CPU ms and wall ms for one repetition, repetitions, answer, and of the first repetition the resident
// kB before it, after it, and at most. Where instructions are counted: see counting.h.
void measure(const Work *work);

// The CPU ms that the calling thread has taken so far.
double thread_cpu_ms(void);
double wall_ms(void);
// Prints how many of something there were in a second, in the form of a measurement.
void report_rate(const char *name, double count, double ms);

#endif
