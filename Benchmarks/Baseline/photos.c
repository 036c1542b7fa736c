#include "photos.h"

#include <stdlib.h>
#include <string.h>

#include "store.h"

static char *text(sqlite3_stmt *row, int column, int *length) {
  const void *bytes = sqlite3_column_text(row, column);
  *length = sqlite3_column_bytes(row, column);
  char *copy = malloc(*length + 1);
  memcpy(copy, bytes, *length);
  copy[*length] = 0;
  return copy;
}

static void fill(Photo *photo, sqlite3_stmt *row) {
  photo->key = sqlite3_column_int64(row, 0);
  photo->entity = sqlite3_column_int(row, 1);
  photo->version = sqlite3_column_int(row, 2);
  photo->height = sqlite3_column_int64(row, 3);
  photo->likes = sqlite3_column_int64(row, 4);
  photo->size = sqlite3_column_int64(row, 5);
  photo->width = sqlite3_column_int64(row, 6);
  photo->date = sqlite3_column_double(row, 7);
  photo->latitude = sqlite3_column_double(row, 8);
  photo->longitude = sqlite3_column_double(row, 9);
  photo->url = text(row, 10, &photo->url_length);
  photo->country = text(row, 11, &photo->country_length);
  photo->place = text(row, 12, &photo->place_length);
}

static void free_texts(Photo *photo) {
  free(photo->url);
  free(photo->country);
  free(photo->place);
}

void photo_free(void *object) {
  free_texts(object);
  free(object);
}

void photo_refresh(Photo *photo, sqlite3_stmt *row) {
  free_texts(photo);
  fill(photo, row);
}

int photos_read(sqlite3_stmt *statement, PhotoList *list) {
  int before = list->count;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Photo *photo = malloc(sizeof *photo);
    fill(photo, statement);
    if (list->count == list->capacity) {
      list->capacity = list->capacity ? list->capacity * 2 : 1024;
      list->photos = realloc(list->photos, list->capacity * sizeof *list->photos);
    }
    list->photos[list->count++] = photo;
    map_insert(&list->map, photo->key, photo);
  }
  sqlite3_reset(statement);
  return list->count - before;
}

int photos_fetch(sqlite3 *db, const char *sql, PhotoList *list) {
  sqlite3_stmt *statement = store_prepare(db, sql);
  int count = photos_read(statement, list);
  sqlite3_finalize(statement);
  return count;
}

void photos_clear(PhotoList *list) {
  map_clear(&list->map, photo_free);
  free(list->photos);
  *list = (PhotoList){0};
}

uint64_t digest(uint64_t before, uint64_t value) { return before * 31 + value; }

uint64_t photos_order(const PhotoList *list) {
  uint64_t order = 0;
  for (int i = 0; i < list->count; i++) {
    uint64_t date;
    memcpy(&date, &list->photos[i]->date, sizeof date);
    order = digest(order, date);
  }
  return order;
}
