#define _GNU_SOURCE
#include "photo_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "store.h"
#include "workloads.h"

static const char *index_names[] = {"none", "single", "compound"};

// One call of the generator to a statement: C leaves the order of arguments open.
static void make(Photo *photo, int number) {
  static const char *countries[] = {"France", "Germany", "Italy",   "Spain",  "Portugal", "Netherlands",
                                    "Belgium", "Poland", "Norway",  "Sweden", "Finland",  "Greece",
                                    "Ireland", "Austria", "Denmark", "Japan"};
  *photo = (Photo){.key = number + 1, .entity = 1, .version = 1};
  photo->height = 480 + random_next() % 4000;
  photo->width = 640 + random_next() % 4000;
  photo->size = random_next() % 9000000;
  photo->likes = random_next() % 1000;
  photo->date = random_next() % 600000000;
  photo->date += (random_next() % 1000) / 1000.0;
  photo->latitude = (random_next() % 180000) / 1000.0 - 90.0001;
  photo->longitude = (random_next() % 360000) / 1000.0 - 180.0001;
  uint32_t first = random_next();
  uint32_t second = random_next() % 65536;
  uint32_t third = random_next() % 65536;
  photo->url_length =
      asprintf(&photo->url, "assets-library://asset/asset.JPG?id=%08X-%04X-%04X&ext=JPG", first, second, third);
  photo->country = strdup(countries[random_next() % 16]);
  photo->country_length = strlen(photo->country);
  uint32_t house = random_next() % 500;
  uint32_t district = random_next() % 40;
  photo->place_length =
      asprintf(&photo->place, "%u Main Street, District %u, %s", house, district, photo->country);
}

Photo *photos_make(int count) {
  Photo *photos = malloc(count * sizeof *photos);
  random_start(777);
  for (int i = 0; i < count; i++) make(&photos[i], i);
  return photos;
}

void photos_free(Photo *photos, int count) {
  for (int i = 0; i < count; i++) {
    free(photos[i].url);
    free(photos[i].country);
    free(photos[i].place);
  }
  free(photos);
}

void photos_schema(sqlite3 *db, Indexing indexing) {
  store_run(db,
            "CREATE TABLE ZPHOTO(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZHEIGHT INTEGER,ZLIKES INTEGER,"
            "ZSIZE INTEGER,ZWIDTH INTEGER,ZDATE TIMESTAMP,ZLATITUDE FLOAT,ZLONGITUDE FLOAT,ZASSETURL VARCHAR,"
            "ZCOUNTRY VARCHAR,ZLOCATIONDESC VARCHAR)");
  if (indexing != NO_INDEX) store_run(db, "CREATE INDEX ZPHOTO_DATE ON ZPHOTO(ZDATE)");
  if (indexing == SINGLE) store_run(db, "CREATE INDEX ZPHOTO_LIKES ON ZPHOTO(ZLIKES)");
  if (indexing == COMPOUND) store_run(db, "CREATE INDEX ZPHOTO_LIKES_DATE ON ZPHOTO(ZLIKES,ZDATE)");
}

static void bind(sqlite3_stmt *insert, const Photo *photo) {
  sqlite3_bind_int64(insert, 1, photo->key);
  sqlite3_bind_int(insert, 2, photo->entity);
  sqlite3_bind_int(insert, 3, photo->version);
  sqlite3_bind_int64(insert, 4, photo->height);
  sqlite3_bind_int64(insert, 5, photo->likes);
  sqlite3_bind_int64(insert, 6, photo->size);
  sqlite3_bind_int64(insert, 7, photo->width);
  sqlite3_bind_double(insert, 8, photo->date);
  sqlite3_bind_double(insert, 9, photo->latitude);
  sqlite3_bind_double(insert, 10, photo->longitude);
  sqlite3_bind_text(insert, 11, photo->url, photo->url_length, SQLITE_STATIC);
  sqlite3_bind_text(insert, 12, photo->country, photo->country_length, SQLITE_STATIC);
  sqlite3_bind_text(insert, 13, photo->place, photo->place_length, SQLITE_STATIC);
}

long long photos_insert(sqlite3 *db, const Photo *photos, int count) {
  int before = sqlite3_total_changes(db);
  sqlite3_stmt *insert =
      store_prepare(db, "INSERT INTO ZPHOTO(" PHOTO_COLUMNS ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (int start = 0; start < count; start += BATCH) {
    store_run(db, "BEGIN IMMEDIATE");
    for (int i = start; i < start + BATCH && i < count; i++) {
      bind(insert, &photos[i]);
      store_step(insert);
    }
    store_run(db, "COMMIT");
  }
  sqlite3_finalize(insert);
  return sqlite3_total_changes(db) - before;
}

const char *photos_file(int count, Indexing indexing) {
  static char name[64];
  snprintf(name, sizeof name, "baseline-photos-%d-%s.db", count, index_names[indexing]);
  return name;
}

const char *photos_work(const char *workload, int count, Indexing indexing) {
  static char name[64];
  snprintf(name, sizeof name, "%s-%s%s", workload, index_names[indexing], count == LARGE ? "-1M" : "");
  return name;
}

void photos_prepare(const char *folder, int count) {
  Photo *photos = NULL;
  Indexing end = count == MEDIUM ? SINGLE : INDEXINGS;
  for (Indexing indexing = NO_INDEX; indexing < end; indexing++) {
    const char *file = photos_file(count, indexing);
    if (count == LARGE && store_exists(folder, file)) continue;
    if (!photos) photos = photos_make(count);
    // What is interrupted leaves no store that looks whole.
    store_remove(folder, file);
    store_remove(folder, SCRATCH);
    sqlite3 *db = store_open(folder, SCRATCH);
    photos_schema(db, indexing);
    photos_insert(db, photos, count);
    store_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
    store_rename(folder, SCRATCH, file);
  }
  if (photos) photos_free(photos, count);
}
