// What a commit writes beside its rows, so that other programs learn of it.
#include <stdlib.h>

#include "server_photos.h"

void server_prepare_changes(PGconn *connection) {
  static const Oid changes[] = {TYPE_INT32S, TYPE_CHARS, TYPE_INT32S, TYPE_INT64S}, commit[] = {TYPE_UUID, TYPE_DOUBLE};
  server_prepare(connection, "begin", "BEGIN", 0, NULL);
  server_prepare(connection, "commit", "COMMIT", 0, NULL);
  server_prepare(connection, "note-changes",
                 "INSERT INTO _change(n, kind, ent, pk) SELECT * FROM unnest($1, $2, $3, $4)", 4, changes);
  server_prepare(connection, "note-commit", "INSERT INTO _commit(token, at) VALUES ($1, $2)", 2, commit);
}

void server_send_changes(PGconn *connection, Values *values, char kind, int64_t first, int count) {
  values_clear(values);
  values_next_array(values, TYPE_INT32, count);
  for (int i = 0; i < count; i++) put_int32(values, 4), put_int32(values, i);
  values_next_array(values, TYPE_CHAR, count);
  for (int i = 0; i < count; i++) put_int32(values, 1), put_bytes(values, &kind, 1);
  values_next_array(values, TYPE_INT32, count);
  for (int i = 0; i < count; i++) put_int32(values, 4), put_int32(values, 1);
  values_next_array(values, TYPE_INT64, count);
  for (int i = 0; i < count; i++) put_int32(values, 8), put_int64(values, first + i);
  flight_send(connection, "note-changes", values);
}

void server_send_commit(PGconn *connection, Values *values) {
  uint32_t token[4];
  arc4random_buf(token, sizeof token);
  values_clear(values);
  values_next(values);
  put_bytes(values, token, sizeof token);
  values_next(values);
  put_double(values, 1);
  flight_send(connection, "note-commit", values);
}
