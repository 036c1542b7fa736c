#pragma once
#include <sqlite3.h>

/// Keeps the connection from moving the write-ahead log into the database when it closes.
/// `sqlite3_db_config` has variable arguments, which Swift cannot pass.
static inline int csqlite_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
