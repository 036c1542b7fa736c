#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "store.h"

Object *object_read(sqlite3_stmt *row) {
  Object *object = malloc(sizeof *object);
  object->key = sqlite3_column_int64(row, 0);
  object->entity = sqlite3_column_int(row, 1);
  object->version = sqlite3_column_int(row, 2);
  object->rating = sqlite3_column_int64(row, 3);
  const void *text = sqlite3_column_text(row, 4);
  object->length = sqlite3_column_bytes(row, 4);
  object->name = malloc(object->length + 1);
  memcpy(object->name, text, object->length);
  object->name[object->length] = 0;
  return object;
}

void object_free(void *object) {
  free(((Object *)object)->name);
  free(object);
}

int objects_fetch(sqlite3 *db, const char *sql, IdentityMap *map) {
  sqlite3_stmt *statement = store_prepare(db, sql);
  int count = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Object *object = object_read(statement);
    map_insert(map, object->key, object);
    count++;
  }
  sqlite3_finalize(statement);
  return count;
}
