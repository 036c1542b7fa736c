#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

void values_clear(Values *values) { values->size = values->count = 0; }

void values_free(Values *values) {
  free(values->bytes);
  *values = (Values){0};
}

void values_next(Values *values) { values->starts[values->count++] = values->size; }

void values_next_array(Values *values, Oid element, int count) {
  values_next(values);
  put_int32(values, 1);
  put_int32(values, 0);
  put_int32(values, element);
  put_int32(values, count);
  put_int32(values, 1);
}

void put_bytes(Values *values, const void *bytes, size_t count) {
  if (values->size + count > values->capacity) {
    values->capacity = (values->size + count) * 2;
    values->bytes = realloc(values->bytes, values->capacity);
  }
  memcpy(values->bytes + values->size, bytes, count);
  values->size += count;
}

void put_int16(Values *values, int16_t number) {
  uint16_t bytes = htobe16(number);
  put_bytes(values, &bytes, sizeof bytes);
}

void put_int32(Values *values, int32_t number) {
  uint32_t bytes = htobe32(number);
  put_bytes(values, &bytes, sizeof bytes);
}

void put_int64(Values *values, int64_t number) {
  uint64_t bytes = htobe64(number);
  put_bytes(values, &bytes, sizeof bytes);
}

void put_double(Values *values, double number) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  put_int64(values, bits);
}

void flight_send(PGconn *connection, const char *statement, const Values *values) {
  const char *starts[16];
  int lengths[16], formats[16], count = values ? values->count : 0;
  for (int i = 0; i < count; i++) {
    size_t end = i + 1 < count ? values->starts[i + 1] : values->size;
    starts[i] = values->bytes + values->starts[i];
    lengths[i] = end - values->starts[i];
    formats[i] = 1;
  }
  if (!PQsendQueryPrepared(connection, statement, count, starts, lengths, formats, 1)) {
    fprintf(stderr, "baseline: %s\n", PQerrorMessage(connection));
    exit(1);
  }
}

void flight_end(PGconn *connection, void (*take)(PGresult *result, void *state), void *state) {
  PQpipelineSync(connection);
  for (int ended = 0; !ended;) {
    PGresult *result = PQgetResult(connection);
    if (!result) continue;
    ExecStatusType status = PQresultStatus(server_check(connection, result));
    if (status == PGRES_TUPLES_OK && take) take(result, state);
    ended = status == PGRES_PIPELINE_SYNC;
    PQclear(result);
  }
}

int32_t read_int32(const char *bytes) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return be32toh(number);
}

int64_t read_int64(const char *bytes) {
  uint64_t number;
  memcpy(&number, bytes, sizeof number);
  return be64toh(number);
}

double read_double(const char *bytes) {
  int64_t bits = read_int64(bytes);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}
