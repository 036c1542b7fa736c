#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measure.h"
#include "server_photos.h"
#include "server_workloads.h"

typedef struct {
  PGconn *connection, *other;
  PhotoList list;
  Values values;
  char snapshot[64];
  int refreshed;
} State;

// What another program has done: the likes of all photos, and a note of it. Beforehand this one has seen all there is.
static void change(void *pointer) {
  State *state = pointer;
  PQexitPipelineMode(state->connection);
  PGresult *result = server_check(state->connection, PQexec(state->connection, "SELECT pg_current_snapshot()::text"));
  snprintf(state->snapshot, sizeof state->snapshot, "%s", PQgetvalue(result, 0, 0));
  PQclear(result);
  server_run(state->other,
             "BEGIN; UPDATE photo SET likes = likes + 1, _opt = _opt + 1;"
             "INSERT INTO _change(n, kind, ent, pk) SELECT row_number() OVER (), 'u', 1, _pk FROM photo;"
             "INSERT INTO _commit(token, at) VALUES (gen_random_uuid(), 1); COMMIT");
  PQenterPipelineMode(state->connection);
}

static void refresh(PGresult *result, void *pointer) {
  State *state = pointer;
  int count = PQntuples(result);
  for (int row = 0; row < count; row++) {
    Photo *photo = map_find(&state->list.map, read_int64(PQgetvalue(result, row, 0)));
    if (!photo) continue;
    free(photo->url);
    free(photo->country);
    free(photo->place);
    server_photo_fill(photo, result, row);
    state->refreshed++;
  }
}

// Asks for the rows that have changed since the snapshot, and gives their values to the objects that the map has.
static long long work(void *pointer) {
  State *state = pointer;
  state->refreshed = 0;
  values_clear(&state->values);
  values_next(&state->values);
  put_bytes(&state->values, state->snapshot, strlen(state->snapshot));
  flight_send(state->connection, "changed", &state->values);
  flight_end(state->connection, refresh, state);
  return state->refreshed;
}

static long long answer(void *pointer) {
  const State *state = pointer;
  long long likes = 0;
  for (int i = 0; i < state->list.count; i++) likes += state->list.photos[i]->likes;
  return likes;
}

void run_server_merge(const char *url, const char *name, int count) {
  static const Oid types[] = {TYPE_TEXT};
  Photo *photos = photos_make(count);
  State state = {server_open(url), server_open(url)};
  server_new_schema(state.connection, "c_scratch");
  server_use_schema(state.other, "c_scratch");
  server_photos_schema(state.connection);
  server_copy_photos(state.connection, photos, count);
  photos_free(photos, count);
  server_prepare(state.connection, "changed",
                 "SELECT " SERVER_PHOTO_COLUMNS
                 " FROM photo WHERE _pk IN (SELECT pk FROM _change WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) "
                 "AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot))",
                 1, types);
  PGresult *all = server_check(state.connection, PQexecParams(state.connection, "SELECT " SERVER_PHOTO_COLUMNS " FROM photo",
                                                              0, NULL, NULL, NULL, NULL, 1));
  server_photos_read(all, &state.list);
  PQclear(all);
  PQenterPipelineMode(state.connection);
  measure(&(Work){name, &state, change, work, answer});
  photos_clear(&state.list);
  values_free(&state.values);
  PQfinish(state.connection);
  PQfinish(state.other);
}
