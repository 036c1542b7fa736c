// The data of the example: 500 people, selfies and social networks, every selfie related to all of both.
#ifndef DATA_H
#define DATA_H
#include <sqlite3.h>

// Fewer selfies where instructions are counted: the cost of the join tables is linear in them.
enum { COUNT = 500, FEW_SELFIES = 50 };

// Makes the tables, as the framework lays them out.
void data_schema(sqlite3 *db);
// Fills them in one transaction, with so many selfies; gives how many rows there are then.
long long data_load(sqlite3 *db, int selfies);
// How many selfies the workloads have that write or walk the join tables, and the store with so many.
int data_selfies(void);
const char *data_store(void);
// Makes the names, the same as Examples/PerformanceTuning/Data/SampleNames.swift.
void data_names(void);

#endif
