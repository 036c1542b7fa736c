#pragma once
#include <sqlite3.h>

/// Keeps the connection from moving the write-ahead log into the database when it closes.
/// `sqlite3_db_config` has variable arguments, which Swift cannot pass.
static inline int csqlite_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Keeps what a file's schema says, a trigger say, from calling functions that the connection does not mark as harmless.
static inline int csqlite_distrust_schema(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// While it is on, VACUUM empties the database, also a damaged one.
static inline int csqlite_reset_database(sqlite3 *database, int on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, on, (int *)0);
}

/// Whether the database's file is still the one at its path.
static inline int csqlite_has_moved(sqlite3 *database) {
  int moved = 0;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/// Reads the database's file as it is, at most `count` bytes from its start; gives its size, or -1.
/// Opening it any other way would, when that is closed, end the locks that this process holds on it.
static inline long long csqlite_read_start(sqlite3 *database, void *bytes, int count) {
  sqlite3_file *file = 0;
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
  if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return -1;
  if (size > 0) {
    int code = file->pMethods->xRead(file, bytes, size < count ? (int)size : count, 0);
    if (code != SQLITE_OK) return -1;
  }
  return size;
}
