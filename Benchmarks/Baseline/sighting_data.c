#include "sighting_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identity_map.h"
#include "random.h"
#include "store.h"

enum { AT_ONCE = 1000 };

#define SIGHTING_COLUMNS "Z_PK,Z_ENT,Z_OPT,ZDATE,ZUID,ZSHAPE,ZCITY"

Sighting *sightings_make(void) {
  static const char *shapes[] = {"light",    "triangle", "circle", "fireball", "unknown",   "other",    "sphere",
                                 "disk",     "oval",     "formation", "cigar",  "changing",  "flash",   "rectangle",
                                 "cylinder", "diamond",  "chevron", "egg",     "teardrop",  "cone",     "cross"};
  Sighting *sightings = calloc(SIGHTINGS, sizeof *sightings);
  random_start(99);
  for (int i = 0; i < SIGHTINGS; i++) {
    Sighting *sighting = &sightings[i];
    sighting->key = i + 1;
    snprintf(sighting->uid, sizeof sighting->uid, "ufo-%08x-%05d", random_next(), i);
    strcpy(sighting->shape, shapes[random_next() % 21]);
    snprintf(sighting->city, sizeof sighting->city, "City %u of State", random_next() % 5000);
    sighting->date = random_next() % 500000000;
  }
  return sightings;
}

void sightings_schema(sqlite3 *db) {
  store_run(db,
            "CREATE TABLE ZSIGHTING(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZDATE TIMESTAMP,ZUID VARCHAR,"
            "ZSHAPE VARCHAR,ZCITY VARCHAR)");
  store_run(db, "CREATE INDEX ZSIGHTING_UID ON ZSIGHTING(ZUID)");
}

// The map is by the hash of the identifier, which no two of these share.
static int64_t hash(const char *text) {
  uint64_t hash = 0;
  for (; *text; text++) hash = hash * 131 + (unsigned char)*text;
  return hash;
}

static Sighting *read(sqlite3_stmt *row) {
  Sighting *sighting = malloc(sizeof *sighting);
  sighting->key = sqlite3_column_int64(row, 0);
  sighting->date = sqlite3_column_double(row, 3);
  snprintf(sighting->uid, sizeof sighting->uid, "%s", (const char *)sqlite3_column_text(row, 4));
  snprintf(sighting->shape, sizeof sighting->shape, "%s", (const char *)sqlite3_column_text(row, 5));
  snprintf(sighting->city, sizeof sighting->city, "%s", (const char *)sqlite3_column_text(row, 6));
  return sighting;
}

static void find(sqlite3_stmt *find, const Sighting *batch, IdentityMap *known) {
  for (int i = 0; i < AT_ONCE; i++) sqlite3_bind_text(find, i + 1, batch[i].uid, -1, SQLITE_STATIC);
  while (sqlite3_step(find) == SQLITE_ROW) {
    Sighting *sighting = read(find);
    map_insert(known, hash(sighting->uid), sighting);
  }
  sqlite3_reset(find);
}

static void create(sqlite3_stmt *insert, const Sighting *sighting) {
  sqlite3_bind_int64(insert, 1, sighting->key);
  sqlite3_bind_double(insert, 2, sighting->date);
  sqlite3_bind_text(insert, 3, sighting->uid, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 4, sighting->shape, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 5, sighting->city, -1, SQLITE_STATIC);
  store_step(insert);
}

void sightings_import(sqlite3 *db, const Sighting *sightings, int count, int *created, int *found) {
  char sql[AT_ONCE * 2 + 200] = "SELECT " SIGHTING_COLUMNS " FROM ZSIGHTING WHERE ZUID IN(?";
  for (int i = 1; i < AT_ONCE; i++) strcat(sql, ",?");
  strcat(sql, ")");
  sqlite3_stmt *finding = store_prepare(db, sql);
  sqlite3_stmt *insert = store_prepare(db, "INSERT INTO ZSIGHTING(" SIGHTING_COLUMNS ") VALUES(?,1,1,?,?,?,?)");
  *created = *found = 0;
  for (int start = 0; start < count; start += AT_ONCE) {
    IdentityMap known = {0};
    store_run(db, "BEGIN");
    find(finding, sightings + start, &known);
    *found += known.count;
    for (int i = start; i < start + AT_ONCE; i++) {
      if (map_find(&known, hash(sightings[i].uid))) continue;
      create(insert, &sightings[i]);
      ++*created;
    }
    store_run(db, "COMMIT");
    map_clear(&known, free);
  }
  sqlite3_finalize(finding);
  sqlite3_finalize(insert);
}

void sightings_prepare(const char *folder) {
  Sighting *sightings = sightings_make();
  int created, found;
  store_remove(folder, SIGHTING_STORE);
  sqlite3 *db = store_open(folder, SIGHTING_STORE);
  sightings_schema(db);
  sightings_import(db, sightings, SIGHTINGS, &created, &found);
  store_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_close(db);
  free(sightings);
}
