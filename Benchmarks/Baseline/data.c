#include "data.h"

#include <stdio.h>

#include "counting.h"
#include "objects.h"
#include "random.h"
#include "store.h"
#include "workloads.h"

static const char *tables[] = {"ZPERSON", "ZSELFIE", "ZSOCIALNETWORK"};
static char names[3][COUNT][40];

void data_names(void) {
  static const char *syllables[] = {"an", "be", "ie", "do", "el", "fa", "gi", "ho",
                                    "ri", "jo", "ka", "le", "mie", "no", "se", "pi"};
  random_start(42);
  for (int table = 0; table < 3; table++) {
    for (int i = 0; i < COUNT; i++) {
      char *name = names[table][i];
      int length = 0;
      for (int left = 2 + random_next() % 3; left > 0; left--) {
        length += sprintf(name + length, "%s", syllables[random_next() % 16]);
      }
      sprintf(name + length, " %d", i);
    }
  }
}

void data_schema(sqlite3 *db) {
  char sql[400];
  for (int i = 0; i < 3; i++) {
    snprintf(sql, sizeof sql, "CREATE TABLE %s(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZRATING INTEGER,ZNAME VARCHAR)",
             tables[i]);
    store_run(db, sql);
  }
  store_run(db, "CREATE TABLE Z_1SELFIES(Z_1PEOPLE INTEGER,Z_2SELFIES INTEGER,PRIMARY KEY(Z_1PEOPLE,Z_2SELFIES))");
  store_run(db, "CREATE INDEX Z_1SELFIES_INDEX ON Z_1SELFIES(Z_2SELFIES,Z_1PEOPLE)");
  store_run(db, "CREATE TABLE Z_2SOCIALNETWORKS(Z_2SELFIES1 INTEGER,Z_3SOCIALNETWORKS INTEGER,PRIMARY KEY(Z_2SELFIES1,Z_3SOCIALNETWORKS))");
  store_run(db, "CREATE INDEX Z_2SOCIALNETWORKS_INDEX ON Z_2SOCIALNETWORKS(Z_3SOCIALNETWORKS,Z_2SELFIES1)");
}

static void load_join(sqlite3 *db, const char *sql, int lefts, int rights) {
  sqlite3_stmt *statement = store_prepare(db, sql);
  for (int left = 1; left <= lefts; left++) {
    for (int right = 1; right <= rights; right++) {
      sqlite3_bind_int64(statement, 1, left);
      sqlite3_bind_int64(statement, 2, right);
      store_step(statement);
    }
  }
  sqlite3_finalize(statement);
}

long long data_load(sqlite3 *db, int selfies) {
  int before = sqlite3_total_changes(db);
  store_run(db, "BEGIN");
  for (int table = 0; table < 3; table++) {
    char sql[200];
    snprintf(sql, sizeof sql, "INSERT INTO %s(" COLUMNS ") VALUES(?,?,1,?,?)", tables[table]);
    sqlite3_stmt *statement = store_prepare(db, sql);
    for (int i = 0; i < (table == 1 ? selfies : COUNT); i++) {
      sqlite3_bind_int64(statement, 1, i + 1);
      sqlite3_bind_int(statement, 2, table + 1);
      sqlite3_bind_int(statement, 3, i % 100);
      sqlite3_bind_text(statement, 4, names[table][i], -1, SQLITE_STATIC);
      store_step(statement);
    }
    sqlite3_finalize(statement);
  }
  load_join(db, "INSERT INTO Z_1SELFIES VALUES(?,?)", COUNT, selfies);
  load_join(db, "INSERT INTO Z_2SOCIALNETWORKS VALUES(?,?)", selfies, COUNT);
  store_run(db, "COMMIT");
  return sqlite3_total_changes(db) - before;
}

int data_selfies(void) { return counting() ? FEW_SELFIES : COUNT; }

const char *data_store(void) { return counting() ? FEW_STORE : STORE; }
