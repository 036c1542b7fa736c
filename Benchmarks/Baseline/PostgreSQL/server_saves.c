#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measure.h"
#include "../objects.h"
#include "server_photos.h"
#include "server_workloads.h"

enum { WRITERS = 8, BLOCK = 256 };

typedef struct {
  PGconn *connection;
  IdentityMap map;
  Values values;
  int64_t next, end;  // keys at hand
  int count;
} Writer;

typedef struct {
  Writer writers[WRITERS];
  int writer_count;
} State;

static void take_keys(PGresult *result, void *pointer) {
  Writer *writer = pointer;
  writer->next = read_int64(PQgetvalue(result, 0, 0));
  writer->end = writer->next + BLOCK;
}

// One object made, inserted and committed at a time; a save is a flight. Keys come in blocks, with the save before.
static void *save(void *pointer) {
  Writer *writer = pointer;
  PGconn *connection = writer->connection;
  for (int number = 1; number <= writer->count; number++) {
    char name[32];
    if (writer->next == writer->end) {
      flight_send(connection, "keys", NULL);
      flight_end(connection, take_keys, writer);
    }
    Object *object = calloc(1, sizeof *object);
    object->key = writer->next++;
    object->rating = number % 1000;
    object->length = snprintf(name, sizeof name, "item %d", number);
    object->name = strdup(name);
    map_insert(&writer->map, object->key, object);
    flight_send(connection, "begin", NULL);
    values_clear(&writer->values);
    values_next(&writer->values);
    put_int64(&writer->values, object->key);
    values_next(&writer->values);
    put_bytes(&writer->values, object->name, object->length);
    values_next(&writer->values);
    put_int16(&writer->values, object->rating);
    flight_send(connection, "insert", &writer->values);
    server_send_changes(connection, &writer->values, 'i', object->key, 1);
    server_send_commit(connection, &writer->values);
    flight_send(connection, "commit", NULL);
    flight_end(connection, NULL, NULL);
  }
  return NULL;
}

static void prepare(void *pointer) {
  static const Oid types[] = {TYPE_INT64, TYPE_TEXT, 21};
  State *state = pointer;
  for (int i = 0; i < state->writer_count; i++) {
    Writer *writer = &state->writers[i];
    map_clear(&writer->map, object_free);
    writer->next = writer->end = 0;
    PQexitPipelineMode(writer->connection);
    server_run(writer->connection, "DEALLOCATE ALL");
    if (i == 0) {
      server_new_schema(writer->connection, "c_scratch");
      server_photos_schema(writer->connection);
    }
    server_use_schema(writer->connection, "c_scratch");
    server_prepare_changes(writer->connection);
    server_prepare(writer->connection, "insert", "INSERT INTO person VALUES ($1, 1, 1, $2, $3)", 3, types);
    server_prepare(writer->connection, "keys", "SELECT nextval('person_pk')", 0, NULL);
    PQenterPipelineMode(writer->connection);
  }
}

static long long one(void *pointer) {
  State *state = pointer;
  save(&state->writers[0]);
  return state->writers[0].count;
}

static long long together(void *pointer) {
  State *state = pointer;
  pthread_t threads[WRITERS];
  for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, save, &state->writers[i]);
  for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
  return state->writers[0].count;
}

// What was saved.
static long long answer(void *pointer) {
  PGconn *connection = ((State *)pointer)->writers[0].connection;
  PQexitPipelineMode(connection);
  return server_number(connection, "SELECT count(*) * 1000003 + count(*) FILTER (WHERE rating >= 500) FROM person");
}

static void run(const char *url, const char *name, int count, int writers, long long (*work)(void *)) {
  State state = {.writer_count = writers};
  for (int i = 0; i < writers; i++) state.writers[i] = (Writer){.connection = server_open(url), .count = count / writers};
  measure(&(Work){name, &state, prepare, work, answer});
  for (int i = 0; i < writers; i++) {
    map_clear(&state.writers[i].map, object_free);
    values_free(&state.writers[i].values);
    PQfinish(state.writers[i].connection);
  }
}

void run_server_saves(const char *url, const char *name, int count) { run(url, name, count, 1, one); }

void run_server_writers(const char *url, const char *name, int count) { run(url, name, count, WRITERS, together); }
