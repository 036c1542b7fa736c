#include <stddef.h>
#include <stdlib.h>

#include "counting.h"
#include "measure.h"
#include "photos.h"
#include "sighting_data.h"
#include "store.h"
#include "workloads.h"

// The shapes in their order, each by its first letter and its length, and how many there are of it.
static long long group(void *db) {
  sqlite3_stmt *statement =
      store_prepare(db, "SELECT ZSHAPE,COUNT(ZSHAPE) FROM ZSIGHTING GROUP BY ZSHAPE ORDER BY ZSHAPE");
  uint64_t answer = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    answer = digest(answer, *sqlite3_column_text(statement, 0));
    answer = digest(answer, sqlite3_column_bytes(statement, 0));
    answer = digest(answer, sqlite3_column_int64(statement, 1));
  }
  sqlite3_finalize(statement);
  return answer;
}

typedef struct {
  const char *folder;
  sqlite3 *db;
  Sighting *sightings;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (state->db) sqlite3_close(state->db);
  store_remove(state->folder, SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
  sightings_schema(state->db);
}

// Batches of 1,000, each for itself.
static int imported(void) { return counting() ? SIGHTINGS / 10 : SIGHTINGS; }

static long long create(void *pointer) {
  State *state = pointer;
  int created, found;
  sightings_import(state->db, state->sightings, imported(), &created, &found);
  return created;
}

static long long find(void *pointer) {
  State *state = pointer;
  int created, found;
  sightings_import(state->db, state->sightings, imported(), &created, &found);
  return found;
}

void run_d(const char *folder) {
  sqlite3 *db = store_open(folder, SIGHTING_STORE);
  measure(&(Work){"D-group", db, NULL, group, NULL});
  State state = {.folder = folder, .sightings = sightings_make()};
  measure(&(Work){"D-create", &state, prepare, create, NULL});
  sqlite3_close(state.db);
  store_remove(folder, SCRATCH);
  state.db = db;
  measure(&(Work){"D-find", &state, NULL, find, NULL});
  sqlite3_close(db);
  free(state.sightings);
}
