// The workloads, each in its file; `folder` holds what 'prepare' made.
#ifndef WORKLOADS_H
#define WORKLOADS_H

#define STORE "baseline.db"
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

#endif
