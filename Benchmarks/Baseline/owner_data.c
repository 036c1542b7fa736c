#include "owner_data.h"

#include <stdio.h>

#include "store.h"

static void insert_member(sqlite3_stmt *insert, int owner, int place) {
  char name[48];
  int length = snprintf(name, sizeof name, "Member %d of %d", place, owner);
  sqlite3_bind_int64(insert, 1, (owner - 1) * MEMBERS_EACH + place);
  sqlite3_bind_int64(insert, 2, owner);
  sqlite3_bind_text(insert, 3, name, length, SQLITE_TRANSIENT);
  store_step(insert);
}

void owners_prepare(const char *folder) {
  store_remove(folder, OWNER_STORE);
  sqlite3 *db = store_open(folder, OWNER_STORE);
  store_run(db,
            "CREATE TABLE ZMEMBER(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZOWNER INTEGER,ZNAME VARCHAR)");
  store_run(db, "CREATE INDEX ZMEMBER_ZOWNER_INDEX ON ZMEMBER(ZOWNER)");
  store_run(db, "CREATE TABLE ZOWNER(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZNAME VARCHAR)");
  store_run(db, "BEGIN");
  sqlite3_stmt *owner = store_prepare(db, "INSERT INTO ZOWNER VALUES(?,2,1,?)");
  sqlite3_stmt *member = store_prepare(db, "INSERT INTO ZMEMBER VALUES(?,1,1,?,?)");
  for (int number = 1; number <= OWNERS; number++) {
    char name[32];
    int length = snprintf(name, sizeof name, "Owner %d", number);
    sqlite3_bind_int64(owner, 1, number);
    sqlite3_bind_text(owner, 2, name, length, SQLITE_TRANSIENT);
    store_step(owner);
    for (int place = 1; place <= MEMBERS_EACH; place++) insert_member(member, number, place);
  }
  sqlite3_finalize(owner);
  sqlite3_finalize(member);
  store_run(db, "COMMIT");
  store_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_close(db);
}
