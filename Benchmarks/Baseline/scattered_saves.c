#include <stdlib.h>

#include "measure.h"
#include "photos.h"
#include "random.h"
#include "store.h"
#include "workloads.h"

enum { CHANGED = 100000, SEED = 4242 };

typedef struct {
  const char *folder;
  int64_t *order;
  sqlite3 *db;
  sqlite3_stmt *update, *delete;
  PhotoList list;
  Photo *changed[CHANGED];
} State;

static void close(State *state) {
  if (!state->db) return;
  sqlite3_finalize(state->update);
  sqlite3_finalize(state->delete);
  sqlite3_close(state->db);
  photos_clear(&state->list);
}

// A copy of the store, and all its photos in memory.
static void prepare(void *pointer) {
  State *state = pointer;
  close(state);
  store_copy(state->folder, photos_file(MEDIUM, NO_INDEX), SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
  state->update = store_prepare(state->db, "UPDATE ZPHOTO SET ZLIKES=?,Z_OPT=? WHERE Z_PK=? AND Z_OPT=?");
  state->delete = store_prepare(state->db, "DELETE FROM ZPHOTO WHERE Z_PK=? AND Z_OPT=?");
  photos_fetch(state->db, "SELECT " PHOTO_COLUMNS " FROM ZPHOTO", &state->list);
}

static int by_key(const void *left, const void *right) {
  int64_t a = (*(Photo *const *)left)->key, b = (*(Photo *const *)right)->key;
  return (a > b) - (a < b);
}

// The rows are written in the order of their keys: in that of the changes each page would be read many times.
static void begin_save(State *state) {
  qsort(state->changed, CHANGED, sizeof *state->changed, by_key);
  store_run(state->db, "BEGIN IMMEDIATE");
}

static long long update(void *pointer) {
  State *state = pointer;
  long long changed = 0;
  for (int i = 0; i < CHANGED; i++) {
    state->changed[i] = state->list.photos[state->order[i] - 1];
    state->changed[i]->likes += 1;
  }
  begin_save(state);
  for (int i = 0; i < CHANGED; i++) {
    Photo *photo = state->changed[i];
    sqlite3_bind_int64(state->update, 1, photo->likes);
    sqlite3_bind_int(state->update, 2, photo->version + 1);
    sqlite3_bind_int64(state->update, 3, photo->key);
    sqlite3_bind_int(state->update, 4, photo->version);
    store_step(state->update);
    changed += sqlite3_changes(state->db);
    photo->version++;
  }
  store_run(state->db, "COMMIT");
  return changed;
}

static long long delete(void *pointer) {
  State *state = pointer;
  long long changed = 0;
  for (int i = 0; i < CHANGED; i++) state->changed[i] = state->list.photos[state->order[i] - 1];
  begin_save(state);
  for (int i = 0; i < CHANGED; i++) {
    Photo *photo = state->changed[i];
    sqlite3_bind_int64(state->delete, 1, photo->key);
    sqlite3_bind_int(state->delete, 2, photo->version);
    store_step(state->delete);
    changed += sqlite3_changes(state->db);
    photo_free(map_remove(&state->list.map, photo->key));
  }
  store_run(state->db, "COMMIT");
  return changed;
}

// The likes of all photos that there are now, in the order of their keys.
static long long answer(void *pointer) {
  State *state = pointer;
  uint64_t answer = 0;
  sqlite3_stmt *statement = store_prepare(state->db, "SELECT ZLIKES FROM ZPHOTO ORDER BY Z_PK");
  while (sqlite3_step(statement) == SQLITE_ROW) answer = digest(answer, sqlite3_column_int64(statement, 0));
  sqlite3_finalize(statement);
  return answer;
}

void run_scattered(const char *folder) {
  static State state;
  state.folder = folder;
  state.order = random_order(MEDIUM, SEED);
  measure(&(Work){"scattered-updates", &state, prepare, update, answer});
  measure(&(Work){"scattered-deletes", &state, prepare, delete, answer});
  close(&state);
  free(state.order);
  store_remove(folder, SCRATCH);
}
