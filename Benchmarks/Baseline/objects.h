// One heap object for each row of the three tables, which are alike.
#ifndef OBJECTS_H
#define OBJECTS_H
#include <sqlite3.h>
#include <stdint.h>

#include "identity_map.h"

#define COLUMNS "Z_PK,Z_ENT,Z_OPT,ZRATING,ZNAME"

typedef struct {
  int64_t key;
  int32_t entity, version;
  int64_t rating;
  int length;
  char *name;
} Object;

// Makes an object of the current row, which holds COLUMNS.
Object *object_read(sqlite3_stmt *row);
void object_free(void *object);
// Reads every row of a query into the map; gives how many there were.
int objects_fetch(sqlite3 *db, const char *sql, IdentityMap *map);

#endif
