// A connection to a PostgreSQL server, in binary; statements that go to it together are a flight.
#ifndef SERVER_H
#define SERVER_H
#include <libpq-fe.h>
#include <stddef.h>
#include <stdint.h>

// The types of values, as the server numbers them.
enum {
  TYPE_BYTES = 17, TYPE_CHAR = 18, TYPE_INT64 = 20, TYPE_INT32 = 23, TYPE_TEXT = 25, TYPE_DOUBLE = 701, TYPE_UUID = 2950
};
enum {
  TYPE_CHARS = 1002, TYPE_INT32S = 1007, TYPE_TEXTS = 1009, TYPE_INT64S = 1016, TYPE_DOUBLES = 1022, TYPE_SNAPSHOT = 5038
};

PGconn *server_open(const char *url);
// Ends the program if a result is an error; gives the result.
PGresult *server_check(PGconn *connection, PGresult *result);
// Runs statements of text, one after the other, and drops their results.
void server_run(PGconn *connection, const char *sql);
// Runs a query of text; gives the number in its first row and column.
long long server_number(PGconn *connection, const char *sql);
void server_prepare(PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
// A schema of that name with nothing in it, which unqualified names mean from then on.
void server_new_schema(PGconn *connection, const char *name);
void server_use_schema(PGconn *connection, const char *name);

// The values of a statement.
typedef struct {
  char *bytes;
  size_t size, capacity;
  size_t starts[16];
  int count;
} Values;

void values_clear(Values *values);
void values_free(Values *values);
// The next value begins; what is put from then on belongs to it.
void values_next(Values *values);
// The next value begins with the head of an array without NULLs, whose elements are put with their lengths.
void values_next_array(Values *values, Oid element, int count);
void put_bytes(Values *values, const void *bytes, size_t count);
void put_int16(Values *values, int16_t number);
void put_int32(Values *values, int32_t number);
void put_int64(Values *values, int64_t number);
void put_double(Values *values, double number);

// The connection is in pipeline mode; sends a prepared statement, whose rows are to come in binary.
void flight_send(PGconn *connection, const char *statement, const Values *values);
// Ends a flight and waits for it. `take` is called with each result that has rows.
void flight_end(PGconn *connection, void (*take)(PGresult *result, void *state), void *state);

int32_t read_int32(const char *bytes);
int64_t read_int64(const char *bytes);
double read_double(const char *bytes);

#endif
