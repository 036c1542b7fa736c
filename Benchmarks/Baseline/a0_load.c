#include <stddef.h>

#include "data.h"
#include "measure.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  const char *folder;
  sqlite3 *db;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (state->db) sqlite3_close(state->db);
  store_remove(state->folder, SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
  data_schema(state->db);
}

static long long work(void *pointer) { return data_load(((State *)pointer)->db, data_selfies()); }

void run_a0(const char *folder) {
  State state = {folder, NULL};
  data_names();
  measure(&(Work){"A0", &state, prepare, work});
  sqlite3_close(state.db);
  store_remove(folder, SCRATCH);
}

static void load(const char *folder, const char *file, int selfies) {
  store_remove(folder, file);
  sqlite3 *db = store_open(folder, file);
  data_schema(db);
  data_load(db, selfies);
  store_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_close(db);
}

void run_prepare(const char *folder) {
  data_names();
  load(folder, STORE, COUNT);
  load(folder, FEW_STORE, FEW_SELFIES);
}
