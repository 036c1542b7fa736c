#include <stddef.h>

#include "../measure.h"
#include "server_photos.h"
#include "server_workloads.h"

typedef struct {
  PGconn *connection;
  Photo *photos;
  int count;
  Values values;
} State;

static void prepare(void *pointer) {
  State *state = pointer;
  if (PQpipelineStatus(state->connection) != PQ_PIPELINE_OFF) PQexitPipelineMode(state->connection);
  server_run(state->connection, "DEALLOCATE ALL");
  server_new_schema(state->connection, "c_scratch");
  server_photos_schema(state->connection);
}

static long long answer(void *pointer) {
  State *state = pointer;
  if (PQpipelineStatus(state->connection) != PQ_PIPELINE_OFF) PQexitPipelineMode(state->connection);
  return server_photos_answer(state->connection);
}

// One COPY, and what tells others of it.
static long long copy(void *pointer) {
  State *state = pointer;
  server_run(state->connection, "BEGIN");
  server_copy_photos(state->connection, state->photos, state->count);
  PQclear(server_check(
      state->connection,
      PQexec(state->connection,
             "INSERT INTO _change(n, kind, ent, pk) SELECT row_number() OVER (), 'i', 1, _pk FROM photo;"
             "INSERT INTO _commit(token, at) VALUES (gen_random_uuid(), 1); COMMIT")));
  return state->count;
}

static void prepare_save(void *pointer) {
  static const Oid types[] = {TYPE_INT64S, TYPE_INT32S, TYPE_INT64S, TYPE_TEXTS,   TYPE_TEXTS,  TYPE_DOUBLES, TYPE_INT32S,
                              TYPE_DOUBLES, TYPE_INT32S, TYPE_TEXTS,  TYPE_DOUBLES, TYPE_INT64S, TYPE_INT32S};
  State *state = pointer;
  prepare(pointer);
  server_prepare_changes(state->connection);
  server_prepare(state->connection, "insert",
                 "INSERT INTO photo(" SERVER_PHOTO_COLUMNS
                 ") SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
                 PHOTO_COLUMN_COUNT, types);
  PQenterPipelineMode(state->connection);
}

// BATCH photos in a transaction, which is one flight.
static long long save(void *pointer) {
  State *state = pointer;
  for (int start = 0; start < state->count; start += BATCH) {
    int count = state->count - start < BATCH ? state->count - start : BATCH;
    flight_send(state->connection, "begin", NULL);
    server_photo_arrays(&state->values, state->photos + start, count);
    flight_send(state->connection, "insert", &state->values);
    server_send_changes(state->connection, &state->values, 'i', state->photos[start].key, count);
    server_send_commit(state->connection, &state->values);
    flight_send(state->connection, "commit", NULL);
    flight_end(state->connection, NULL, NULL);
  }
  return state->count;
}

void run_server_batch(const char *url, const char *name, int count) {
  State state = {server_open(url), photos_make(count), count};
  measure(&(Work){name, &state, prepare, copy, answer});
  photos_free(state.photos, count);
  PQfinish(state.connection);
}

void run_server_save(const char *url, const char *name, int count) {
  State state = {server_open(url), photos_make(count), count};
  measure(&(Work){name, &state, prepare_save, save, answer});
  photos_free(state.photos, count);
  values_free(&state.values);
  PQfinish(state.connection);
}

void run_server_prepare(const char *url, const char *name, int count) {
  PGconn *connection = server_open(url);
  Photo *photos = photos_make(count);
  server_new_schema(connection, server_photos_name(count));
  server_photos_schema(connection);
  server_copy_photos(connection, photos, count);
  photos_free(photos, count);
  PQfinish(connection);
}
