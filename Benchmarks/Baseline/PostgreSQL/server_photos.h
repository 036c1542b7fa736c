// Photos in a table of a server that is laid out as the framework lays it out.
#ifndef SERVER_PHOTOS_H
#define SERVER_PHOTOS_H
#include "../photos.h"
#include "server.h"

#define SERVER_PHOTO_COLUMNS \
  "_pk,_ent,_opt,\"assetURL\",country,date,height,latitude,likes,\"locationDesc\",longitude,size,width"

enum { PHOTO_COLUMN_COUNT = 13 };

// Makes the table of photos, and those in which changes and commits are noted.
void server_photos_schema(PGconn *connection);
// The statements that note a commit and the changes of it.
void server_prepare_changes(PGconn *connection);
// Sends what notes a commit: its token, and the time.
void server_send_commit(PGconn *connection, Values *values);
// Sends what notes changes of one kind, with consecutive keys.
void server_send_changes(PGconn *connection, Values *values, char kind, int64_t first, int count);

// Inserts all photos by one COPY in one transaction.
void server_copy_photos(PGconn *connection, const Photo *photos, int count);
// The values of an INSERT from arrays, a column each.
void server_photo_arrays(Values *values, const Photo *photos, int count);
// Whether the table has what was inserted: a number that the framework computes, too.
long long server_photos_answer(PGconn *connection);
// The same for any photos in memory: the order does not matter.
uint64_t server_photos_sum(const PhotoList *list);

// Fills a photo with a row of a result that has SERVER_PHOTO_COLUMNS.
void server_photo_fill(Photo *photo, const PGresult *result, int row);
// Appends all rows of a result.
void server_photos_read(const PGresult *result, PhotoList *list);
// The schema that 'pg-prepare' has filled.
const char *server_photos_name(int count);

#endif
