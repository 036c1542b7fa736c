// The workloads over a server, each for so many rows; `name` is what they report as.
#ifndef SERVER_WORKLOADS_H
#define SERVER_WORKLOADS_H

// Runs the workload of a name such as pg-fetch-10000; 0 if there is none.
int run_server_workload(const char *name, const char *url);

void run_server_prepare(const char *url, const char *name, int count);        // photos, loaded once
void run_server_prepare_pairs(const char *url, const char *name, int count);  // selfies of as many people each
void run_server_batch(const char *url, const char *name, int count);          // COPY
void run_server_save(const char *url, const char *name, int count);           // 10,000 in each transaction
void run_server_saves(const char *url, const char *name, int count);          // one in each transaction
void run_server_writers(const char *url, const char *name, int count);        // the same by eight threads
void run_server_fetch(const char *url, const char *name, int count);          // all photos as one result
void run_server_rows(const char *url, const char *name, int count);           // all photos, row by row
void run_server_faults(const char *url, const char *name, int count);         // by key, 500 in a flight
void run_server_prefetch(const char *url, const char *name, int count);       // selfies with their people
void run_server_merge(const char *url, const char *name, int count);          // read again what another has changed

#endif
