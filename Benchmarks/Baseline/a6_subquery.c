#include <stddef.h>

#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

static long long work(void *db) {
  IdentityMap map = {0};
  long long found = objects_fetch(
      db,
      "SELECT " COLUMNS " FROM ZPERSON p WHERE EXISTS(SELECT 1 FROM Z_1SELFIES j JOIN ZSELFIE s ON s.Z_PK=j.Z_2SELFIES "
      "WHERE j.Z_1PEOPLE=p.Z_PK AND(s.ZRATING<5 OR s.ZNAME GLOB '*e*ie*'))",
      &map);
  map_clear(&map, object_free);
  return found;
}

void run_a6(const char *folder) {
  sqlite3 *db = store_open(folder, STORE);
  measure(&(Work){"A6", db, NULL, work});
  sqlite3_close(db);
}
