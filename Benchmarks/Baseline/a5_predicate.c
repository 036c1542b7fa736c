#include <stddef.h>

#include "counting.h"
#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  sqlite3_stmt *statement;
  IdentityMap map;
} State;

// LIKE is case sensitive in a predicate, so GLOB it is. Objects are made once and found in the map from then on:
// the least that any object graph could do, though the framework starts with an empty context each time.
static long long work(void *pointer) {
  State *state = pointer;
  long long found = 0;
  int repetitions = counting() ? 20 : 1000;
  for (int i = 0; i < repetitions; i++) {
    while (sqlite3_step(state->statement) == SQLITE_ROW) {
      int64_t key = sqlite3_column_int64(state->statement, 0);
      if (!map_find(&state->map, key)) map_insert(&state->map, key, object_read(state->statement));
      found++;
    }
    sqlite3_reset(state->statement);
  }
  return found / repetitions;
}

void run_a5(const char *folder) {
  sqlite3 *db = store_open(folder, STORE);
  State state = {
      store_prepare(db, "SELECT " COLUMNS " FROM ZSELFIE WHERE ZNAME GLOB '*e*ie*' OR ZRATING<5"), {0}};
  measure(&(Work){"A5", &state, NULL, work});
}
