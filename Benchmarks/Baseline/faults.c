#include <stddef.h>
#include <stdlib.h>

#include "identity_map.h"
#include "measure.h"
#include "photo_data.h"
#include "store.h"
#include "workloads.h"

// The least that knows which row it stands for.
typedef struct {
  int64_t key;
  int32_t entity, version;
} Fault;

typedef struct {
  sqlite3 *db;
  IdentityMap map;
  Fault **faults;
  int count, capacity;
} State;

static void clear(State *state) {
  map_clear(&state->map, free);
  free(state->faults);
  state->faults = NULL;
  state->count = state->capacity = 0;
}

static long long work(void *pointer) {
  State *state = pointer;
  clear(state);
  sqlite3_stmt *statement = store_prepare(state->db, "SELECT Z_PK,Z_ENT FROM ZPHOTO");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Fault *fault = malloc(sizeof *fault);
    *fault = (Fault){sqlite3_column_int64(statement, 0), sqlite3_column_int(statement, 1), 0};
    if (state->count == state->capacity) {
      state->capacity = state->capacity ? state->capacity * 2 : 1024;
      state->faults = realloc(state->faults, state->capacity * sizeof *state->faults);
    }
    state->faults[state->count++] = fault;
    map_insert(&state->map, fault->key, fault);
  }
  sqlite3_finalize(statement);
  return state->count;
}

void run_faults(const char *folder, int count) {
  State state = {.db = store_open(folder, photos_file(count, NO_INDEX))};
  measure(&(Work){photos_work("faults", count, NO_INDEX), &state, NULL, work, NULL});
  clear(&state);
  sqlite3_close(state.db);
}
