#include <stddef.h>

#include "measure.h"
#include "photo_data.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  const char *folder, *file, *sql, *query;
  sqlite3 *db;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (state->db) sqlite3_close(state->db);
  store_copy(state->folder, state->file, SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
}

static long long work(void *pointer) {
  State *state = pointer;
  store_run(state->db, "BEGIN EXCLUSIVE");
  store_run(state->db, state->sql);
  store_run(state->db, "COMMIT");
  store_run(state->db, "PRAGMA wal_checkpoint(TRUNCATE)");
  return 0;
}

static long long answer(void *pointer) {
  State *state = pointer;
  sqlite3_stmt *query = store_prepare(state->db, state->query);
  sqlite3_step(query);
  long long count = sqlite3_column_int64(query, 0);
  sqlite3_finalize(query);
  return count;
}

// The statements that one would write by hand, in one transaction.
void run_migrate(const char *folder, int count) {
  static const struct {
    const char *name, *sql, *query;
  } changes[] = {
      {"migrate-add", "ALTER TABLE ZPHOTO ADD COLUMN ZSHARES INTEGER; UPDATE ZPHOTO SET ZSHARES=7",
       "SELECT COUNT(*) FROM ZPHOTO WHERE ZSHARES=7"},
      {"migrate-remove", "ALTER TABLE ZPHOTO DROP COLUMN ZLOCATIONDESC",
       "SELECT COUNT(*) FROM ZPHOTO WHERE ZSIZE>=4500000"},
      {"migrate-convert",
       "ALTER TABLE ZPHOTO ADD COLUMN ZNEW FLOAT; UPDATE ZPHOTO SET ZNEW=ZLIKES; ALTER TABLE ZPHOTO DROP COLUMN ZLIKES; "
       "ALTER TABLE ZPHOTO RENAME COLUMN ZNEW TO ZLIKES",
       "SELECT COUNT(*) FROM ZPHOTO WHERE ZLIKES>499.5"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    State state = {
        .folder = folder, .file = photos_file(count, NO_INDEX), .sql = changes[i].sql, .query = changes[i].query};
    measure(&(Work){photos_work(changes[i].name, count, NO_INDEX), &state, prepare, work, answer});
    sqlite3_close(state.db);
  }
  store_remove(folder, SCRATCH);
}
