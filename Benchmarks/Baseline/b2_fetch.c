#include <stddef.h>

#include "measure.h"
#include "photos.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  sqlite3 *db;
  PhotoList list;
} State;

// Lets go of what was read before.
static long long work(void *pointer) {
  State *state = pointer;
  photos_clear(&state->list);
  return photos_fetch(state->db, "SELECT " PHOTO_COLUMNS " FROM ZPHOTO ORDER BY ZDATE", &state->list);
}

static long long answer(void *pointer) { return photos_order(&((State *)pointer)->list); }

void run_b2(const char *folder, int count) {
  for (Indexing indexing = NO_INDEX; indexing < INDEXINGS; indexing++) {
    State state = {.db = store_open(folder, photos_file(count, indexing))};
    measure(&(Work){photos_work("B2", count, indexing), &state, NULL, work, answer});
    photos_clear(&state.list);
    sqlite3_close(state.db);
  }
}
