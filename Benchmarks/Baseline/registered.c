#include <stddef.h>

#include "measure.h"
#include "photos.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  sqlite3_stmt *statement;
  PhotoList known;
  const Photo *found[SMALL];
} State;

// Steps through the rows again, and looks for the object of each by its key.
static long long work(void *pointer) {
  State *state = pointer;
  int count = 0;
  while (count < SMALL && sqlite3_step(state->statement) == SQLITE_ROW) {
    state->found[count] = map_find(&state->known.map, sqlite3_column_int64(state->statement, 0));
    if (state->found[count]) count++;
  }
  sqlite3_reset(state->statement);
  return count;
}

static long long answer(void *pointer) {
  const State *state = pointer;
  uint64_t answer = 0;
  for (int i = 0; i < SMALL; i++) answer = digest(answer, state->found[i]->likes);
  return answer;
}

void run_registered(const char *folder) {
  static State state;
  sqlite3 *db = store_open(folder, photos_file(SMALL, NO_INDEX));
  state.statement = store_prepare(db, "SELECT " PHOTO_COLUMNS " FROM ZPHOTO");
  photos_read(state.statement, &state.known);
  measure(&(Work){"registered", &state, NULL, work, answer});
  photos_clear(&state.known);
  sqlite3_finalize(state.statement);
  sqlite3_close(db);
}
