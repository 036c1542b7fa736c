#include <stddef.h>
#include <stdlib.h>

#include "measure.h"
#include "photos.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  int64_t likes;
  int count;
} Section;

typedef struct {
  sqlite3 *db;
  PhotoList list;
  Section *sections;
  int count, capacity;
} State;

static void clear(State *state) {
  photos_clear(&state->list);
  free(state->sections);
  state->sections = NULL;
  state->count = state->capacity = 0;
}

static long long work(void *pointer) {
  State *state = pointer;
  clear(state);
  photos_fetch(state->db, "SELECT " PHOTO_COLUMNS " FROM ZPHOTO ORDER BY ZLIKES DESC,ZDATE DESC", &state->list);
  sqlite3_stmt *groups =
      store_prepare(state->db, "SELECT ZLIKES,COUNT(*) FROM ZPHOTO GROUP BY ZLIKES ORDER BY ZLIKES DESC");
  while (sqlite3_step(groups) == SQLITE_ROW) {
    if (state->count == state->capacity) {
      state->capacity = state->capacity ? state->capacity * 2 : 64;
      state->sections = realloc(state->sections, state->capacity * sizeof *state->sections);
    }
    state->sections[state->count++] = (Section){sqlite3_column_int64(groups, 0), sqlite3_column_int(groups, 1)};
  }
  sqlite3_finalize(groups);
  return state->count;
}

static long long answer(void *pointer) {
  State *state = pointer;
  uint64_t answer = photos_order(&state->list);
  for (int i = 0; i < state->count; i++) {
    answer = digest(answer, state->sections[i].likes);
    answer = digest(answer, state->sections[i].count);
  }
  return answer;
}

void run_b3(const char *folder, int count) {
  for (Indexing indexing = NO_INDEX; indexing < INDEXINGS; indexing++) {
    State state = {.db = store_open(folder, photos_file(count, indexing))};
    measure(&(Work){photos_work("B3", count, indexing), &state, NULL, work, answer});
    clear(&state);
    sqlite3_close(state.db);
  }
}
