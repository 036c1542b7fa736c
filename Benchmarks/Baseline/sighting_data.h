// The sightings, the same on both sides.
#ifndef SIGHTING_DATA_H
#define SIGHTING_DATA_H
#include <sqlite3.h>
#include <stdint.h>

#define SIGHTING_STORE "baseline-sightings.db"

enum { SIGHTINGS = 60000 };

typedef struct {
  int64_t key;
  char uid[24], shape[16], city[32];
  double date;
} Sighting;

// Makes them, the same as Sources/Workloads/Sightings/SightingRecord.swift.
Sighting *sightings_make(void);
void sightings_schema(sqlite3 *db);
// Looks for them in batches of 1,000 and inserts those that are not there, one transaction a batch.
// Gives how many it inserted, and how many it found.
void sightings_import(sqlite3 *db, const Sighting *sightings, int count, int *created, int *found);
void sightings_prepare(const char *folder);

#endif
