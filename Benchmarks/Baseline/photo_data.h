// The photos: ten attributes each, the same on both sides. A data set is a size and a choice of indexes.
#ifndef PHOTO_DATA_H
#define PHOTO_DATA_H
#include <sqlite3.h>
#include <stdint.h>

enum { SMALL = 10000, MEDIUM = 200000, LARGE = 1000000, BATCH = 10000 };

// None; the date and the likes, each by itself; the date, and likes and date together.
typedef enum { NO_INDEX, SINGLE, COMPOUND, INDEXINGS } Indexing;

#define PHOTO_COLUMNS \
  "Z_PK,Z_ENT,Z_OPT,ZHEIGHT,ZLIKES,ZSIZE,ZWIDTH,ZDATE,ZLATITUDE,ZLONGITUDE,ZASSETURL,ZCOUNTRY,ZLOCATIONDESC"

typedef struct {
  int64_t key;
  int32_t entity, version;
  int64_t height, likes, size, width;
  double date, latitude, longitude;
  int url_length, country_length, place_length;
  char *url, *country, *place;
} Photo;

// Makes the photos, the same as Sources/Workloads/Photos/PhotoRecord.swift.
Photo *photos_make(int count);
void photos_free(Photo *photos, int count);
// Makes the table with its indexes, as the framework lays them out.
void photos_schema(sqlite3 *db, Indexing indexing);
// Inserts the photos, BATCH in a transaction; gives how many.
long long photos_insert(sqlite3 *db, const Photo *photos, int count);
// The file of a data set.
const char *photos_file(int count, Indexing indexing);
// The name of a measurement: that of the workload, the index, and 1M for the large set.
const char *photos_work(const char *workload, int count, Indexing indexing);
// Loads the stores of one size; the medium one without indexes alone, the large ones only where they are not there yet.
void photos_prepare(const char *folder, int count);

#endif
