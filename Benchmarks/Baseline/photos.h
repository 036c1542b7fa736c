// Photos read from a store: one heap object for each row, in a map and in order.
#ifndef PHOTOS_H
#define PHOTOS_H
#include "identity_map.h"
#include "photo_data.h"

typedef struct {
  Photo **photos;
  int count, capacity;
  IdentityMap map;
} PhotoList;

// Reads every row of a statement that gives PHOTO_COLUMNS, behind what the list holds; gives how many there were.
int photos_read(sqlite3_stmt *statement, PhotoList *list);
// The same of a query.
int photos_fetch(sqlite3 *db, const char *sql, PhotoList *list);
void photos_clear(PhotoList *list);
void photo_free(void *photo);
// Gives a photo the values of the current row, which holds PHOTO_COLUMNS.
void photo_refresh(Photo *photo, sqlite3_stmt *row);
// A number that tells the dates and their order from any others: photos of one date may stand either way.
uint64_t photos_order(const PhotoList *list);
uint64_t digest(uint64_t before, uint64_t value);

#endif
