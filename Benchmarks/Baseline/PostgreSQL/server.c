#include "server.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what) {
  fprintf(stderr, "baseline: %s\n", what);
  exit(1);
}

static void ignore_notice(void *argument, const char *message) {}

PGconn *server_open(const char *url) {
  PGconn *connection = PQconnectdb(url);
  if (PQstatus(connection) != CONNECTION_OK) fail(PQerrorMessage(connection));
  PQsetNoticeProcessor(connection, ignore_notice, NULL);
  return connection;
}

PGresult *server_check(PGconn *connection, PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED || status == PGRES_BAD_RESPONSE) {
    fail(result ? PQresultErrorMessage(result) : PQerrorMessage(connection));
  }
  return result;
}

void server_run(PGconn *connection, const char *sql) { PQclear(server_check(connection, PQexec(connection, sql))); }

long long server_number(PGconn *connection, const char *sql) {
  PGresult *result = server_check(connection, PQexec(connection, sql));
  long long number = atoll(PQgetvalue(result, 0, 0));
  PQclear(result);
  return number;
}

void server_prepare(PGconn *connection, const char *name, const char *sql, int count, const Oid *types) {
  PQclear(server_check(connection, PQprepare(connection, name, sql, count, types)));
}

void server_use_schema(PGconn *connection, const char *name) {
  char sql[160];
  snprintf(sql, sizeof sql, "SET search_path = \"%s\"", name);
  server_run(connection, sql);
}

void server_new_schema(PGconn *connection, const char *name) {
  char sql[240];
  snprintf(sql, sizeof sql, "DROP SCHEMA IF EXISTS \"%s\" CASCADE; CREATE SCHEMA \"%s\"", name, name);
  server_run(connection, sql);
  server_use_schema(connection, name);
}
