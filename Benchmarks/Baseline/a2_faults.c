#include <stddef.h>

#include "measure.h"
#include "objects.h"
#include "store.h"
#include "data.h"
#include "workloads.h"

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *members[2];  // keys of a selfie's people, of its networks
  sqlite3_stmt *rows[2];     // one row of either
} State;

// Every member is read from the database each time, in one read transaction.
static long long work(void *pointer) {
  State *state = pointer;
  long long bytes = 0;
  store_run(state->db, "BEGIN");
  for (int selfie = 1; selfie <= data_selfies(); selfie++) {
    for (int i = 0; i < 2; i++) {
      sqlite3_stmt *members = state->members[i], *row = state->rows[i];
      sqlite3_bind_int64(members, 1, selfie);
      while (sqlite3_step(members) == SQLITE_ROW) {
        sqlite3_bind_int64(row, 1, sqlite3_column_int64(members, 0));
        if (sqlite3_step(row) == SQLITE_ROW) {
          Object *object = object_read(row);
          bytes += object->length;
          object_free(object);
        }
        sqlite3_reset(row);
      }
      sqlite3_reset(members);
    }
  }
  store_run(state->db, "COMMIT");
  return bytes;
}

void run_a2(const char *folder) {
  sqlite3 *db = store_open(folder, data_store());
  State state = {db,
                 {store_prepare(db, "SELECT Z_1PEOPLE FROM Z_1SELFIES WHERE Z_2SELFIES=?"),
                  store_prepare(db, "SELECT Z_3SOCIALNETWORKS FROM Z_2SOCIALNETWORKS WHERE Z_2SELFIES1=?")},
                 {store_prepare(db, "SELECT " COLUMNS " FROM ZPERSON WHERE Z_PK=?"),
                  store_prepare(db, "SELECT " COLUMNS " FROM ZSOCIALNETWORK WHERE Z_PK=?")}};
  measure(&(Work){"A2", &state, NULL, work});
}
