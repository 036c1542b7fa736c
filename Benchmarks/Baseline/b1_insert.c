#include <stddef.h>

#include "measure.h"
#include "photo_data.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  const char *folder;
  sqlite3 *db;
  Indexing indexing;
  Photo *photos;
  int count;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (state->db) sqlite3_close(state->db);
  store_remove(state->folder, SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
  photos_schema(state->db, state->indexing);
}

static long long work(void *pointer) {
  State *state = pointer;
  return photos_insert(state->db, state->photos, state->count);
}

void run_b1(const char *folder, int count) {
  State state = {.folder = folder, .photos = photos_make(count), .count = count};
  // A million rows in the order of no index are minutes of moving pages, on any side.
  int indexings = count == LARGE ? 1 : INDEXINGS;
  for (state.indexing = NO_INDEX; (int)state.indexing < indexings; state.indexing++) {
    measure(&(Work){photos_work("B1", count, state.indexing), &state, prepare, work, NULL});
  }
  sqlite3_close(state.db);
  photos_free(state.photos, count);
  store_remove(folder, SCRATCH);
}
