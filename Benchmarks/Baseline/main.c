// The limit: the workloads of the benchmarks, straight against SQLite.
// baseline prepare <folder>; baseline A0|A1|A2|A3|A5|A6|A7|C <folder>
#include <stdio.h>
#include <string.h>

#include "workloads.h"

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(const char *folder);
  } workloads[] = {{"prepare", run_prepare}, {"A0", run_a0}, {"A1", run_a1}, {"A2", run_a2},
                   {"A3", run_a3},           {"A5", run_a5}, {"A6", run_a6}, {"A7", run_a7},
                   {"C", run_c}};
  for (size_t i = 0; count == 3 && i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(arguments[1], workloads[i].name)) continue;
    workloads[i].run(arguments[2]);
    return 0;
  }
  fprintf(stderr, "usage: baseline prepare|A0|A1|A2|A3|A5|A6|A7|C FOLDER\n");
  return 64;
}
