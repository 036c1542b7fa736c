#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measure.h"
#include "../objects.h"
#include "server.h"
#include "server_workloads.h"

typedef struct {
  Object object;
  Object **people;
  int count;
} Selfie;

typedef struct {
  PGconn *connection;
  IdentityMap selfies, people;
  Selfie **order;
  int count;
} State;

static void free_selfie(void *pointer) {
  free(((Selfie *)pointer)->people);
  object_free(pointer);
}

static void clear(void *pointer) {
  State *state = pointer;
  map_clear(&state->selfies, free_selfie);
  map_clear(&state->people, object_free);
  free(state->order);
  state->order = NULL;
}

static void fill(Object *object, const PGresult *result, int row) {
  object->key = read_int64(PQgetvalue(result, row, 0));
  object->entity = read_int32(PQgetvalue(result, row, 1));
  object->version = read_int64(PQgetvalue(result, row, 2));
  object->length = PQgetlength(result, row, 3);
  object->name = malloc(object->length + 1);
  memcpy(object->name, PQgetvalue(result, row, 3), object->length + 1);
  object->rating = (uint8_t)PQgetvalue(result, row, 4)[0] << 8 | (uint8_t)PQgetvalue(result, row, 4)[1];
}

static void take_selfies(State *state, const PGresult *result) {
  state->count = PQntuples(result);
  state->order = malloc(state->count * sizeof *state->order);
  for (int row = 0; row < state->count; row++) {
    Selfie *selfie = calloc(1, sizeof *selfie);
    fill(&selfie->object, result, row);
    map_insert(&state->selfies, selfie->object.key, selfie);
    state->order[row] = selfie;
  }
}

static void take_people(State *state, const PGresult *result) {
  for (int row = 0; row < PQntuples(result); row++) {
    Object *person = calloc(1, sizeof *person);
    fill(person, result, row);
    map_insert(&state->people, person->key, person);
  }
}

// Each row is a selfie and the array of its people: a head of 20 bytes, then a length and a key each.
static void take_pairs(State *state, const PGresult *result) {
  for (int row = 0; row < PQntuples(result); row++) {
    Selfie *selfie = map_find(&state->selfies, read_int64(PQgetvalue(result, row, 0)));
    const char *array = PQgetvalue(result, row, 1);
    selfie->count = read_int32(array + 12);
    selfie->people = malloc(selfie->count * sizeof *selfie->people);
    for (int i = 0; i < selfie->count; i++) {
      selfie->people[i] = map_find(&state->people, read_int64(array + 24 + 12 * i));
    }
  }
}

static void take(PGresult *result, void *pointer) {
  State *state = pointer;
  if (!state->order) {
    take_selfies(state, result);
  } else if (PQnfields(result) == 2) {
    take_pairs(state, result);
  } else {
    take_people(state, result);
  }
}

// Three statements in one flight.
static long long prefetch(void *pointer) {
  State *state = pointer;
  flight_send(state->connection, "selfies", NULL);
  flight_send(state->connection, "people", NULL);
  flight_send(state->connection, "pairs", NULL);
  flight_end(state->connection, take, state);
  return state->count;
}

static long long names(const State *state) {
  long long bytes = 0;
  for (int i = 0; i < state->count; i++) {
    for (int j = 0; j < state->order[i]->count; j++) bytes += state->order[i]->people[j]->length;
  }
  return bytes;
}

static long long answer(void *pointer) { return names(pointer); }

static long long prefetch_and_walk(void *pointer) {
  prefetch(pointer);
  return names(pointer);
}

void run_server_prepare_pairs(const char *url, const char *name, int count) {
  char sql[900];
  PGconn *connection = server_open(url);
  server_new_schema(connection, "c_pairs");
  // The names are those of SampleNames by length alone, which the framework's store has: a copy of its rows.
  snprintf(sql, sizeof sql,
           "CREATE TABLE selfie(_pk bigint PRIMARY KEY, _ent integer NOT NULL, _opt bigint NOT NULL, "
           "name text COLLATE \"C\", rating smallint);"
           "CREATE TABLE person(LIKE selfie INCLUDING ALL);"
           "CREATE TABLE pair(_owner bigint NOT NULL, _member bigint NOT NULL, PRIMARY KEY (_owner, _member));"
           "INSERT INTO selfie SELECT _pk, 2, 1, name, rating FROM framework_pairs_%d.\"Selfie\";"
           "INSERT INTO person SELECT _pk, 1, 1, name, rating FROM framework_pairs_%d.\"Person\";"
           "INSERT INTO pair SELECT s._pk, p._pk FROM selfie s, person p",
           count, count);
  server_run(connection, sql);
  PQfinish(connection);
}

void run_server_prefetch(const char *url, const char *name, int count) {
  char walk[64];
  State state = {.connection = server_open(url)};
  server_use_schema(state.connection, "c_pairs");
  server_prepare(state.connection, "selfies", "SELECT _pk, _ent, _opt, name, rating FROM selfie", 0, NULL);
  server_prepare(state.connection, "people", "SELECT _pk, _ent, _opt, name, rating FROM person", 0, NULL);
  server_prepare(state.connection, "pairs", "SELECT _owner, array_agg(_member) FROM pair GROUP BY 1", 0, NULL);
  PQenterPipelineMode(state.connection);
  measure(&(Work){name, &state, clear, prefetch, answer});
  snprintf(walk, sizeof walk, "%s-walk", name);
  measure(&(Work){walk, &state, clear, prefetch_and_walk, NULL});
  clear(&state);
  PQfinish(state.connection);
}
