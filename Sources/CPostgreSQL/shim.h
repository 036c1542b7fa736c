#pragma once
#include <libpq-fe.h>

/// What it takes to ask the server to stop what a connection runs; any thread may use it, one at a time.
/// libpq 17 asks over a connection that is encrypted as the first one is; before, the request was always plain.
static inline void *cpostgresql_cancel_create(PGconn *connection) {
#ifdef LIBPQ_HAS_ASYNC_CANCEL
  return PQcancelCreate(connection);
#else
  return PQgetCancel(connection);
#endif
}

/// Asks, and waits until the server has passed it on; 1 if it has.
static inline int cpostgresql_cancel_send(void *cancel) {
#ifdef LIBPQ_HAS_ASYNC_CANCEL
  int sent = PQcancelBlocking((PGcancelConn *)cancel);
  PQcancelReset((PGcancelConn *)cancel);
  return sent;
#else
  char message[256];
  return PQcancel((PGcancel *)cancel, message, sizeof message);
#endif
}

static inline void cpostgresql_cancel_free(void *cancel) {
#ifdef LIBPQ_HAS_ASYNC_CANCEL
  PQcancelFinish((PGcancelConn *)cancel);
#else
  PQfreeCancel((PGcancel *)cancel);
#endif
}

/// Has the rows of the query that is being answered come while they are read: one by one, from libpq 17 on in small lots.
static inline int cpostgresql_stream_rows(PGconn *connection) {
#ifdef LIBPQ_HAS_CHUNK_MODE
  return PQsetChunkedRowsMode(connection, 256);
#else
  return PQsetSingleRowMode(connection);
#endif
}

/// Whether a result has some of the rows of a query, and more results follow.
static inline int cpostgresql_is_streamed(const PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
#ifdef LIBPQ_HAS_CHUNK_MODE
  if (status == PGRES_TUPLES_CHUNK) return 1;
#endif
  return status == PGRES_SINGLE_TUPLE;
}
