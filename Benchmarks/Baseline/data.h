// The data of the example: 500 people, selfies and social networks, every selfie related to all of both.
#ifndef DATA_H
#define DATA_H
#include <sqlite3.h>

enum { COUNT = 500 };

// Makes the tables, as the framework lays them out.
void data_schema(sqlite3 *db);
// Fills them in one transaction; gives how many rows there are then.
long long data_load(sqlite3 *db);
// Makes the names, the same as Examples/PerformanceTuning/Data/SampleNames.swift.
void data_names(void);

#endif
