#include <stddef.h>

#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

// A fresh map for each table, let go of with its objects.
static long long work(void *db) {
  static const char *queries[] = {"SELECT " COLUMNS " FROM ZPERSON", "SELECT " COLUMNS " FROM ZSELFIE",
                                  "SELECT " COLUMNS " FROM ZSOCIALNETWORK"};
  long long count = 0;
  for (int i = 0; i < 3; i++) {
    IdentityMap map = {0};
    count += objects_fetch(db, queries[i], &map);
    map_clear(&map, object_free);
  }
  return count;
}

void run_a1(const char *folder) {
  sqlite3 *db = store_open(folder, STORE);
  measure(&(Work){"A1", db, NULL, work});
  sqlite3_close(db);
}
