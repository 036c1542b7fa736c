#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "photos.h"
#include "store.h"
#include "workloads.h"

enum { PAGE = 30 };

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *page;
  int64_t *keys;
  int count, capacity;
  PhotoList list;
} State;

static void clear(State *state) {
  photos_clear(&state->list);
  free(state->keys);
  state->keys = NULL;
  state->count = state->capacity = 0;
}

static void read_keys(State *state) {
  sqlite3_stmt *statement = store_prepare(state->db, "SELECT Z_PK FROM ZPHOTO ORDER BY ZLIKES DESC,ZDATE DESC");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (state->count == state->capacity) {
      state->capacity = state->capacity ? state->capacity * 2 : 1024;
      state->keys = realloc(state->keys, state->capacity * sizeof *state->keys);
    }
    state->keys[state->count++] = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
}

// The rows come in any order; they are read in that of the keys.
static long long read_page(State *state, int start) {
  long long likes = 0;
  sqlite3_clear_bindings(state->page);
  for (int i = 0; i < PAGE && start + i < state->count; i++) {
    sqlite3_bind_int64(state->page, i + 1, state->keys[start + i]);
  }
  photos_read(state->page, &state->list);
  for (int i = 0; i < PAGE && start + i < state->count; i++) {
    likes += ((Photo *)map_find(&state->list.map, state->keys[start + i]))->likes;
  }
  return likes;
}

static long long first_page(void *pointer) {
  State *state = pointer;
  clear(state);
  read_keys(state);
  return read_page(state, 0);
}

static void prepare_scroll(void *pointer) {
  clear(pointer);
  read_keys(pointer);
}

static long long scroll(void *pointer) {
  State *state = pointer;
  long long likes = 0;
  for (int start = 0; start < state->count; start += PAGE) likes += read_page(state, start);
  return likes;
}

// The photos that were read, in the order of the keys.
static long long answer(void *pointer) {
  State *state = pointer;
  uint64_t answer = state->count;
  for (int i = 0; i < state->count; i++) {
    const Photo *photo = map_find(&state->list.map, state->keys[i]);
    if (!photo) break;
    uint64_t date;
    memcpy(&date, &photo->date, sizeof date);
    answer = digest(answer, date);
  }
  return answer;
}

void run_b4(const char *folder, int count) {
  char sql[400] = "SELECT " PHOTO_COLUMNS " FROM ZPHOTO WHERE Z_PK IN(?";
  for (int i = 1; i < PAGE; i++) strcat(sql, ",?");
  strcat(sql, ")");
  for (Indexing indexing = NO_INDEX; indexing < INDEXINGS; indexing++) {
    sqlite3 *db = store_open(folder, photos_file(count, indexing));
    State state = {.db = db, .page = store_prepare(db, sql)};
    measure(&(Work){photos_work("B4-first", count, indexing), &state, NULL, first_page, answer});
    // What index there is shows in the keys alone.
    if (indexing == COMPOUND) {
      measure(&(Work){photos_work("B4-scroll", count, indexing), &state, prepare_scroll, scroll, answer});
    }
    clear(&state);
    sqlite3_finalize(state.page);
    sqlite3_close(db);
  }
}
