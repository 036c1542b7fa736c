// SQLite, with the settings that the framework uses: WAL, synchronous NORMAL, one thread a connection.
#ifndef STORE_H
#define STORE_H
#include <sqlite3.h>

sqlite3 *store_open(const char *folder, const char *file);
void store_remove(const char *folder, const char *file);
int store_exists(const char *folder, const char *file);
// Gives a closed store another name.
void store_rename(const char *folder, const char *from, const char *to);
void store_copy(const char *folder, const char *from, const char *to);
void store_run(sqlite3 *db, const char *sql);
sqlite3_stmt *store_prepare(sqlite3 *db, const char *sql);
// Runs a statement that gives no row, and makes it ready for the next time.
void store_step(sqlite3_stmt *statement);

#endif
