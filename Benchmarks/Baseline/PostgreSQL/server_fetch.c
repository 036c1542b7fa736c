#include <stdio.h>
#include <stdlib.h>

#include "../measure.h"
#include "server_photos.h"
#include "server_workloads.h"

#define ALL "SELECT " SERVER_PHOTO_COLUMNS " FROM photo"

enum { COMPANY = 256 };  // so many rows does the framework read when a fault fires

typedef struct {
  PGconn *connection;
  PhotoList list;
  Values values;
  int count;
} State;

static State opened(const char *url, int count) {
  State state = {.connection = server_open(url), .count = count};
  server_use_schema(state.connection, server_photos_name(count));
  return state;
}

static void close_state(State *state) {
  photos_clear(&state->list);
  values_free(&state->values);
  PQfinish(state->connection);
}

// What was fetched is let go of in the repetition, as the framework does.
static void clear(void *pointer) { photos_clear(&((State *)pointer)->list); }

static long long answer(void *pointer) { return server_photos_sum(&((State *)pointer)->list); }

static long long whole(void *pointer) {
  State *state = pointer;
  clear(pointer);
  PGresult *result =
      server_check(state->connection, PQexecPrepared(state->connection, "all", 0, NULL, NULL, NULL, 1));
  server_photos_read(result, &state->list);
  PQclear(result);
  return state->list.count;
}

static long long row_by_row(void *pointer) {
  State *state = pointer;
  PGresult *result;
  clear(pointer);
  PQsendQueryPrepared(state->connection, "all", 0, NULL, NULL, NULL, 1);
  PQsetSingleRowMode(state->connection);
  while ((result = PQgetResult(state->connection))) {
    server_photos_read(server_check(state->connection, result), &state->list);
    PQclear(result);
  }
  return state->list.count;
}

static void fetch(const char *url, const char *name, int count, long long (*work)(void *)) {
  State state = opened(url, count);
  server_prepare(state.connection, "all", ALL, 0, NULL);
  measure(&(Work){name, &state, NULL, work, answer});
  close_state(&state);
}

void run_server_fetch(const char *url, const char *name, int count) { fetch(url, name, count, whole); }

void run_server_rows(const char *url, const char *name, int count) { fetch(url, name, count, row_by_row); }

static void take(PGresult *result, void *pointer) { server_photos_read(result, &((State *)pointer)->list); }

static long long faults(void *pointer) {
  State *state = pointer;
  long long likes = 0;
  for (int start = 0; start < state->count; start += COMPANY) {
    int count = state->count - start < COMPANY ? state->count - start : COMPANY;
    values_clear(&state->values);
    values_next_array(&state->values, TYPE_INT64, count);
    for (int i = 0; i < count; i++) put_int32(&state->values, 8), put_int64(&state->values, start + i + 1);
    flight_send(state->connection, "keys", &state->values);
    flight_end(state->connection, take, state);
  }
  for (int i = 0; i < state->list.count; i++) likes += state->list.photos[i]->likes;
  return likes;
}

void run_server_faults(const char *url, const char *name, int count) {
  static const Oid types[] = {TYPE_INT64S};
  State state = opened(url, SMALL);
  state.count = count;
  server_prepare(state.connection, "keys", ALL " WHERE _pk = ANY($1)", 1, types);
  PQenterPipelineMode(state.connection);
  measure(&(Work){name, &state, clear, faults, NULL});
  close_state(&state);
}
