// The workloads, each in its file; `folder` holds what 'prepare' made.
#ifndef WORKLOADS_H
#define WORKLOADS_H

#define STORE "baseline.db"
#define FEW_STORE "baseline-few.db"
#define SCRATCH "baseline-scratch.db"

void run_prepare(const char *folder);
void run_a0(const char *folder);  // load
void run_a1(const char *folder);  // fetch everything
void run_a2(const char *folder);  // 500,000 point reads
void run_a3(const char *folder);  // prefetch and read 500,000 names
void run_a5(const char *folder);  // pattern or rating, a thousand times
void run_a6(const char *folder);  // subquery
void run_a7(const char *folder);  // update, one by one and at once
void run_c(const char *folder);   // save one at a time, alone and beside a reader
void run_d(const char *folder);   // sightings: group, import what is new, import what is there
void run_n1(const char *folder);  // owners of three members each, with two statements and with one for each owner
void run_merge(const char *folder);       // read again what another has changed
void run_scattered(const char *folder);   // 100,000 updates and deletes in random order, each in one save
void run_registered(const char *folder);  // fetch again what the map has

// Photos, so many, and with each choice of indexes.
void run_b1(const char *folder, int count);      // insert
void run_b2(const char *folder, int count);      // fetch by date
void run_b3(const char *folder, int count);      // fetch by likes and date, with sections
void run_b4(const char *folder, int count);      // the same in pages of 30: the first, then all
void run_faults(const char *folder, int count);  // keys alone
void run_batch(const char *folder, int count);   // update and delete at once
void run_migrate(const char *folder, int count);  // add, remove and convert a column

#endif
