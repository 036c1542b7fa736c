#include <stddef.h>

#include "measure.h"
#include "photos.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  const char *folder;
  sqlite3 *db;
  sqlite3_stmt *change, *read;
  PhotoList list;
} State;

// What another writer has done: the likes of all photos of the list.
static void change(void *pointer) {
  State *state = pointer;
  store_step(state->change);
}

// Reads the rows by their keys, and gives their values to the objects that the map has.
static long long work(void *pointer) {
  State *state = pointer;
  int refreshed = 0;
  store_run(state->db, "BEGIN");
  for (int i = 0; i < state->list.count; i++) {
    int64_t key = state->list.photos[i]->key;
    sqlite3_bind_int64(state->read, 1, key);
    if (sqlite3_step(state->read) == SQLITE_ROW) {
      photo_refresh(map_find(&state->list.map, key), state->read);
      refreshed++;
    }
    sqlite3_reset(state->read);
  }
  store_run(state->db, "COMMIT");
  return refreshed;
}

// The likes after the first merge.
static long long answer(void *pointer) {
  const State *state = pointer;
  uint64_t answer = 0;
  for (int i = 0; i < state->list.count; i++) answer = digest(answer, state->list.photos[i]->likes);
  return answer;
}

static void merge(const char *folder, const char *name, const char *file, const char *query, const char *sql) {
  store_copy(folder, file, SCRATCH);
  State state = {.folder = folder, .db = store_open(folder, SCRATCH)};
  state.change = store_prepare(state.db, sql);
  state.read = store_prepare(state.db, "SELECT " PHOTO_COLUMNS " FROM ZPHOTO WHERE Z_PK=?");
  photos_fetch(state.db, query, &state.list);
  measure(&(Work){name, &state, change, work, answer});
  photos_clear(&state.list);
  sqlite3_finalize(state.change);
  sqlite3_finalize(state.read);
  sqlite3_close(state.db);
  store_remove(folder, SCRATCH);
}

void run_merge(const char *folder) {
  merge(folder, "merge-10k", photos_file(SMALL, NO_INDEX), "SELECT " PHOTO_COLUMNS " FROM ZPHOTO",
        "UPDATE ZPHOTO SET ZLIKES=ZLIKES+1,Z_OPT=Z_OPT+1");
  merge(folder, "merge-100k", photos_file(MEDIUM, NO_INDEX), "SELECT " PHOTO_COLUMNS " FROM ZPHOTO LIMIT 100000",
        "UPDATE ZPHOTO SET ZLIKES=ZLIKES+1,Z_OPT=Z_OPT+1 WHERE Z_PK IN(SELECT Z_PK FROM ZPHOTO LIMIT 100000)");
}
