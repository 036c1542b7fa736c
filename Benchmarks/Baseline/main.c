// The limit: the workloads of the benchmarks, straight against SQLite.
// baseline prepare|prepare-1M <folder>; baseline A0|A1|A2|A3|A5|A6|A7|B1|B2|B3|B4|C|D <folder>;
// baseline N1|merge|scattered|registered <folder>;
// with a million photos: baseline B1-1M|B2-1M|B3-1M|B4-1M|faults-1M|batch-1M|migrate-1M <folder>
// over a server, with its URL in place of the folder: see PostgreSQL/server_workloads.h
// with names of works behind these, their instructions are counted: see counting.h
#include <stdio.h>
#include <string.h>

#include "counting.h"
#include "owner_data.h"
#include "photo_data.h"
#include "sighting_data.h"
#include "workloads.h"
#ifdef POSTGRESQL
#include "PostgreSQL/server_workloads.h"
#endif

static void prepare(const char *folder) {
  run_prepare(folder);
  photos_prepare(folder, SMALL);
  // What takes so many is not counted.
  if (!counting()) photos_prepare(folder, MEDIUM);
  owners_prepare(folder);
  sightings_prepare(folder);
}

static void prepare_large(const char *folder) { photos_prepare(folder, LARGE); }

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(const char *folder);
  } workloads[] = {{"prepare", prepare}, {"prepare-1M", prepare_large},
                   {"A0", run_a0},       {"A1", run_a1},
                   {"A2", run_a2},       {"A3", run_a3},
                   {"A5", run_a5},       {"A6", run_a6},
                   {"A7", run_a7},       {"C", run_c},
                   {"D", run_d},          {"N1", run_n1},
                   {"merge", run_merge},  {"scattered", run_scattered},
                   {"registered", run_registered}};
  static const struct {
    const char *name;
    void (*run)(const char *folder, int count);
    int count;
  } of_photos[] = {{"B1", run_b1, SMALL},           {"B2", run_b2, SMALL},     {"B3", run_b3, SMALL},
                   {"B4", run_b4, SMALL},           {"B1-1M", run_b1, LARGE},  {"B2-1M", run_b2, LARGE},
                   {"B3-1M", run_b3, LARGE},        {"B4-1M", run_b4, LARGE},  {"faults-1M", run_faults, LARGE},
                   {"batch-1M", run_batch, LARGE},  {"migrate-1M", run_migrate, LARGE}};
#ifdef POSTGRESQL
  if (count == 3 && run_server_workload(arguments[1], arguments[2])) return 0;
#endif
  if (count > 3) counting_start(arguments + 3, count - 3);
  for (size_t i = 0; count >= 3 && i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(arguments[1], workloads[i].name)) continue;
    workloads[i].run(arguments[2]);
    return 0;
  }
  for (size_t i = 0; count >= 3 && i < sizeof of_photos / sizeof *of_photos; i++) {
    if (strcmp(arguments[1], of_photos[i].name)) continue;
    of_photos[i].run(arguments[2], of_photos[i].count);
    return 0;
  }
  fprintf(stderr, "usage: baseline prepare|A0|A1|A2|A3|A5|A6|A7|B1|B2|B3|B4|C|D FOLDER [NAME...]\n");
  fprintf(stderr, "       baseline N1|merge|scattered|registered FOLDER [NAME...]\n");
  fprintf(stderr, "       baseline prepare-1M|B1-1M|B2-1M|B3-1M|B4-1M|faults-1M|batch-1M|migrate-1M FOLDER\n");
  return 64;
}
