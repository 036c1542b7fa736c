#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(sqlite3 *db, const char *what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static void path_of(char *path, size_t size, const char *folder, const char *file, const char *suffix) {
  snprintf(path, size, "%s/%s%s", folder, file, suffix);
}

sqlite3 *store_open(const char *folder, const char *file) {
  char path[1024];
  path_of(path, sizeof path, folder, file, "");
  sqlite3 *db;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &db, flags, NULL) != SQLITE_OK) fail(db, path);
  sqlite3_busy_timeout(db, 10000);
  store_run(db, "PRAGMA journal_mode=WAL");
  store_run(db, "PRAGMA synchronous=NORMAL");
  return db;
}

void store_remove(const char *folder, const char *file) {
  const char *suffixes[] = {"", "-wal", "-shm"};
  for (int i = 0; i < 3; i++) {
    char path[1024];
    path_of(path, sizeof path, folder, file, suffixes[i]);
    unlink(path);
  }
}

int store_exists(const char *folder, const char *file) {
  char path[1024];
  path_of(path, sizeof path, folder, file, "");
  return access(path, F_OK) == 0;
}

void store_rename(const char *folder, const char *from, const char *to) {
  char source[1024], target[1024];
  path_of(source, sizeof source, folder, from, "");
  path_of(target, sizeof target, folder, to, "");
  if (rename(source, target) != 0) {
    perror(source);
    exit(1);
  }
}

void store_copy(const char *folder, const char *from, const char *to) {
  store_remove(folder, to);
  char source[1024], target[1024], buffer[1 << 16];
  path_of(source, sizeof source, folder, from, "");
  path_of(target, sizeof target, folder, to, "");
  FILE *in = fopen(source, "rb"), *out = fopen(target, "wb");
  if (!in || !out) {
    fprintf(stderr, "cannot copy %s to %s; run 'prepare' first\n", source, target);
    exit(1);
  }
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) fwrite(buffer, 1, n, out);
  fclose(in);
  fclose(out);
}

void store_run(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(db, sql);
}

sqlite3_stmt *store_prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(db, sql);
  return statement;
}

void store_step(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
  sqlite3_reset(statement);
}
