#include <stddef.h>

#include "measure.h"
#include "photo_data.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  const char *folder, *file, *sql;
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
  store_run(state->db, state->sql);
  return sqlite3_changes(state->db);
}

// A DELETE without a condition would throw the table's pages away unread, whatever is in them.
void run_batch(const char *folder, int count) {
  static const char *sql[] = {"UPDATE ZPHOTO SET ZLIKES=ZLIKES+1,Z_OPT=Z_OPT+1", "DELETE FROM ZPHOTO WHERE ZSIZE>=0"};
  static const char *names[] = {"batch-update", "batch-delete"};
  for (int i = 0; i < 2; i++) {
    State state = {.folder = folder, .file = photos_file(count, NO_INDEX), .sql = sql[i]};
    measure(&(Work){photos_work(names[i], count, NO_INDEX), &state, prepare, work, NULL});
    sqlite3_close(state.db);
  }
  store_remove(folder, SCRATCH);
}
