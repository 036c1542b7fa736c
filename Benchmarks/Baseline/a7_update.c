#include <stddef.h>

#include "data.h"
#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *update;
} State;

// Reads all, then writes each row back under its version, in one transaction.
static long long one_by_one(void *pointer) {
  State *state = pointer;
  long long changed = 0;
  IdentityMap map = {0};
  store_run(state->db, "BEGIN");
  objects_fetch(state->db, "SELECT " COLUMNS " FROM ZPERSON", &map);
  for (int key = 1; key <= COUNT; key++) {
    Object *object = map_find(&map, key);
    sqlite3_bind_int64(state->update, 1, object->rating + 1);
    sqlite3_bind_int(state->update, 2, object->version + 1);
    sqlite3_bind_int64(state->update, 3, key);
    sqlite3_bind_int(state->update, 4, object->version);
    store_step(state->update);
    changed += sqlite3_changes(state->db);
  }
  store_run(state->db, "COMMIT");
  map_clear(&map, object_free);
  return changed;
}

static long long at_once(void *pointer) {
  sqlite3 *db = ((State *)pointer)->db;
  store_run(db, "UPDATE ZPERSON SET ZRATING=ZRATING+1,Z_OPT=Z_OPT+1");
  return sqlite3_changes(db);
}

void run_a7(const char *folder) {
  store_copy(folder, STORE, SCRATCH);
  sqlite3 *db = store_open(folder, SCRATCH);
  State state = {db, store_prepare(db, "UPDATE ZPERSON SET ZRATING=?,Z_OPT=? WHERE Z_PK=? AND Z_OPT=?")};
  measure(&(Work){"A7-single", &state, NULL, one_by_one});
  measure(&(Work){"A7-batch", &state, NULL, at_once});
  sqlite3_finalize(state.update);
  sqlite3_close(db);
  store_remove(folder, SCRATCH);
}
