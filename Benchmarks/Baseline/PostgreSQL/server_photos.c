#include "server_photos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void server_photos_schema(PGconn *connection) {
  server_run(connection,
             "CREATE TABLE photo(_pk bigint PRIMARY KEY, _ent integer NOT NULL, _opt bigint NOT NULL, "
             "\"assetURL\" text COLLATE \"C\", country text COLLATE \"C\", date double precision, height integer, "
             "latitude double precision, likes integer, \"locationDesc\" text COLLATE \"C\", "
             "longitude double precision, size bigint, width integer) WITH (fillfactor = 90);"
             "CREATE TABLE person(_pk bigint PRIMARY KEY, _ent integer NOT NULL, _opt bigint NOT NULL, "
             "name text COLLATE \"C\", rating smallint) WITH (fillfactor = 90);"
             "CREATE SEQUENCE person_pk INCREMENT BY 256;"
             "CREATE TABLE _commit(xid xid8 PRIMARY KEY DEFAULT pg_current_xact_id(), token uuid NOT NULL UNIQUE, "
             "at double precision NOT NULL, author text, context text, process text, bundle text);"
             "CREATE TABLE _change(xid xid8 NOT NULL DEFAULT pg_current_xact_id(), n integer NOT NULL, "
             "kind \"char\" NOT NULL, ent integer NOT NULL, pk bigint NOT NULL, props bytea, tomb bytea, "
             "PRIMARY KEY (xid, n))");
}

static void text(Values *values, const char *bytes, int length) {
  put_int32(values, length);
  put_bytes(values, bytes, length);
}

// One column of a photo, with its length.
static void put(Values *values, const Photo *photo, int column) {
  switch (column) {
    case 0: put_int32(values, 8), put_int64(values, photo->key); break;
    case 1: put_int32(values, 4), put_int32(values, photo->entity); break;
    case 2: put_int32(values, 8), put_int64(values, photo->version); break;
    case 3: text(values, photo->url, photo->url_length); break;
    case 4: text(values, photo->country, photo->country_length); break;
    case 5: put_int32(values, 8), put_double(values, photo->date); break;
    case 6: put_int32(values, 4), put_int32(values, photo->height); break;
    case 7: put_int32(values, 8), put_double(values, photo->latitude); break;
    case 8: put_int32(values, 4), put_int32(values, photo->likes); break;
    case 9: text(values, photo->place, photo->place_length); break;
    case 10: put_int32(values, 8), put_double(values, photo->longitude); break;
    case 11: put_int32(values, 8), put_int64(values, photo->size); break;
    case 12: put_int32(values, 4), put_int32(values, photo->width); break;
  }
}

void server_copy_photos(PGconn *connection, const Photo *photos, int count) {
  static const char header[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
  Values rows = {0};
  PGresult *result =
      server_check(connection, PQexec(connection, "COPY photo(" SERVER_PHOTO_COLUMNS ") FROM STDIN (FORMAT binary)"));
  PQclear(result);
  put_bytes(&rows, header, 19);
  for (int i = 0; i < count; i++) {
    put_int16(&rows, PHOTO_COLUMN_COUNT);
    for (int column = 0; column < PHOTO_COLUMN_COUNT; column++) put(&rows, &photos[i], column);
    if (rows.size < 1 << 16) continue;
    PQputCopyData(connection, rows.bytes, rows.size);
    values_clear(&rows);
  }
  put_int16(&rows, -1);
  PQputCopyData(connection, rows.bytes, rows.size);
  PQputCopyEnd(connection, NULL);
  while ((result = PQgetResult(connection))) PQclear(server_check(connection, result));
  values_free(&rows);
}

void server_photo_arrays(Values *values, const Photo *photos, int count) {
  static const Oid elements[] = {TYPE_INT64, TYPE_INT32, TYPE_INT64, TYPE_TEXT,   TYPE_TEXT,  TYPE_DOUBLE, TYPE_INT32,
                                 TYPE_DOUBLE, TYPE_INT32, TYPE_TEXT,  TYPE_DOUBLE, TYPE_INT64, TYPE_INT32};
  values_clear(values);
  for (int column = 0; column < PHOTO_COLUMN_COUNT; column++) {
    values_next_array(values, elements[column], count);
    for (int i = 0; i < count; i++) put(values, &photos[i], column);
  }
}

static char *copied(const PGresult *result, int row, int column, int *length) {
  *length = PQgetlength(result, row, column);
  char *copy = malloc(*length + 1);
  memcpy(copy, PQgetvalue(result, row, column), *length);
  copy[*length] = 0;
  return copy;
}

void server_photo_fill(Photo *photo, const PGresult *result, int row) {
  photo->key = read_int64(PQgetvalue(result, row, 0));
  photo->entity = read_int32(PQgetvalue(result, row, 1));
  photo->version = read_int64(PQgetvalue(result, row, 2));
  photo->url = copied(result, row, 3, &photo->url_length);
  photo->country = copied(result, row, 4, &photo->country_length);
  photo->date = read_double(PQgetvalue(result, row, 5));
  photo->height = read_int32(PQgetvalue(result, row, 6));
  photo->latitude = read_double(PQgetvalue(result, row, 7));
  photo->likes = read_int32(PQgetvalue(result, row, 8));
  photo->place = copied(result, row, 9, &photo->place_length);
  photo->longitude = read_double(PQgetvalue(result, row, 10));
  photo->size = read_int64(PQgetvalue(result, row, 11));
  photo->width = read_int32(PQgetvalue(result, row, 12));
}

void server_photos_read(const PGresult *result, PhotoList *list) {
  int count = PQntuples(result);
  for (int row = 0; row < count; row++) {
    Photo *photo = malloc(sizeof *photo);
    server_photo_fill(photo, result, row);
    if (list->count == list->capacity) {
      list->capacity = list->capacity ? list->capacity * 2 : 1024;
      list->photos = realloc(list->photos, list->capacity * sizeof *list->photos);
    }
    list->photos[list->count++] = photo;
    map_insert(&list->map, photo->key, photo);
  }
}

long long server_photos_answer(PGconn *connection) {
  return server_number(connection,
                       "SELECT count(*) * 1000003 + count(*) FILTER (WHERE likes >= 500) * 1009 "
                       "+ count(*) FILTER (WHERE country = 'Japan') FROM photo");
}

uint64_t server_photos_sum(const PhotoList *list) {
  uint64_t sum = list->count;
  for (int i = 0; i < list->count; i++) {
    const Photo *photo = list->photos[i];
    uint64_t date;
    memcpy(&date, &photo->date, sizeof date);
    sum += date + photo->likes * 31 + photo->size + photo->url_length + photo->place_length;
  }
  return sum;
}

const char *server_photos_name(int count) {
  static char name[40];
  snprintf(name, sizeof name, "c_photos_%d", count);
  return name;
}
