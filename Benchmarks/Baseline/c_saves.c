#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "data.h"
#include "identity_map.h"
#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

enum { SAVES = 10000 };

typedef struct {
  const char *folder;
  int has_reader;
  sqlite3 *db;
  IdentityMap map;
  atomic_int is_running;
  // Of the repetition before: how often the reader counted, the CPU time that it took, the wall time of the saves.
  long long reads;
  double reader_cpu, wall;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (state->db) sqlite3_close(state->db);
  map_clear(&state->map, object_free);
  store_remove(state->folder, SCRATCH);
  state->db = store_open(state->folder, SCRATCH);
  data_schema(state->db);
}

static int saves(void) { return counting() ? SAVES / 10 : SAVES; }

// Counts all the while, and says how often and at what cost.
static void *reader(void *pointer) {
  State *state = pointer;
  sqlite3 *db = store_open(state->folder, SCRATCH);
  sqlite3_stmt *count = store_prepare(db, "SELECT COUNT(*) FROM ZPERSON");
  while (atomic_load(&state->is_running)) {
    sqlite3_step(count);
    sqlite3_reset(count);
    state->reads++;
  }
  sqlite3_finalize(count);
  sqlite3_close(db);
  state->reader_cpu = thread_cpu_ms();
  return NULL;
}

// One object made, inserted and committed at a time.
static long long work(void *pointer) {
  State *state = pointer;
  sqlite3_stmt *begin = store_prepare(state->db, "BEGIN IMMEDIATE");
  sqlite3_stmt *insert = store_prepare(state->db, "INSERT INTO ZPERSON VALUES(?,1,1,?,?)");
  sqlite3_stmt *commit = store_prepare(state->db, "COMMIT");
  pthread_t thread;
  state->reads = 0;
  atomic_store(&state->is_running, 1);
  if (state->has_reader) pthread_create(&thread, NULL, reader, state);
  double start = wall_ms();
  for (int key = 1; key <= saves(); key++) {
    char name[32];
    Object *object = calloc(1, sizeof *object);
    object->key = key;
    object->rating = key % 1000;
    object->length = snprintf(name, sizeof name, "item %d", key);
    object->name = strdup(name);
    map_insert(&state->map, key, object);
    store_step(begin);
    sqlite3_bind_int64(insert, 1, key);
    sqlite3_bind_int64(insert, 2, object->rating);
    sqlite3_bind_text(insert, 3, object->name, object->length, SQLITE_STATIC);
    store_step(insert);
    store_step(commit);
  }
  state->wall = wall_ms() - start;
  atomic_store(&state->is_running, 0);
  if (state->has_reader) pthread_join(thread, NULL);
  sqlite3_finalize(begin);
  sqlite3_finalize(insert);
  sqlite3_finalize(commit);
  return saves();
}

// What the reader takes says nothing: it counts as often as it can, however fast that is.
static double beside(void *pointer) { return ((State *)pointer)->reader_cpu; }

void run_c(const char *folder) {
  State state = {.folder = folder};
  measure(&(Work){"C", &state, prepare, work});
  state.has_reader = 1;
  measure(&(Work){"C-reader", &state, prepare, work, NULL, beside});
  report_rate("C-reader-saves", SAVES, state.wall);
  report_rate("C-reader-reads", state.reads, state.wall);
  sqlite3_close(state.db);
  map_clear(&state.map, object_free);
  store_remove(folder, SCRATCH);
}
