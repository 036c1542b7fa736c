#include <stdlib.h>
#include <string.h>

#include "identity_map.h"
#include "measure.h"
#include "owner_data.h"
#include "store.h"
#include "workloads.h"

#define MEMBER_COLUMNS "Z_PK,Z_ENT,Z_OPT,ZOWNER,ZNAME"

typedef struct {
  int64_t key, owner;
  int32_t entity, version;
  int length;
  char *name;
} Member;

typedef struct {
  int64_t key;
  int32_t entity, version;
  int length, count, capacity;
  char *name;
  Member **members;
} Owner;

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *owners_statement, *members_statement, *members_of_one;
  IdentityMap owners, members;
  Owner **order;
  int count, capacity;
} State;

static void free_owner(void *object) {
  free(((Owner *)object)->name);
  free(((Owner *)object)->members);
  free(object);
}

static void free_member(void *object) {
  free(((Member *)object)->name);
  free(object);
}

static void clear(void *pointer) {
  State *state = pointer;
  map_clear(&state->owners, free_owner);
  map_clear(&state->members, free_member);
  free(state->order);
  state->order = NULL;
  state->count = state->capacity = 0;
}

static char *text(sqlite3_stmt *row, int column, int *length) {
  const void *bytes = sqlite3_column_text(row, column);
  *length = sqlite3_column_bytes(row, column);
  char *copy = malloc(*length + 1);
  memcpy(copy, bytes, *length);
  copy[*length] = 0;
  return copy;
}

static void fetch_owners(State *state) {
  sqlite3_stmt *row = state->owners_statement;
  while (sqlite3_step(row) == SQLITE_ROW) {
    Owner *owner = calloc(1, sizeof *owner);
    owner->key = sqlite3_column_int64(row, 0);
    owner->entity = sqlite3_column_int(row, 1);
    owner->version = sqlite3_column_int(row, 2);
    owner->name = text(row, 3, &owner->length);
    map_insert(&state->owners, owner->key, owner);
    if (state->count == state->capacity) {
      state->capacity = state->capacity ? state->capacity * 2 : 1024;
      state->order = realloc(state->order, state->capacity * sizeof *state->order);
    }
    state->order[state->count++] = owner;
  }
  sqlite3_reset(row);
}

// The members that a statement gives, each added to its owner.
static void fetch_members(State *state, sqlite3_stmt *row) {
  while (sqlite3_step(row) == SQLITE_ROW) {
    Member *member = malloc(sizeof *member);
    member->key = sqlite3_column_int64(row, 0);
    member->entity = sqlite3_column_int(row, 1);
    member->version = sqlite3_column_int(row, 2);
    member->owner = sqlite3_column_int64(row, 3);
    member->name = text(row, 4, &member->length);
    map_insert(&state->members, member->key, member);
    Owner *owner = map_find(&state->owners, member->owner);
    if (owner->count == owner->capacity) {
      owner->capacity = owner->capacity ? owner->capacity * 2 : 4;
      owner->members = realloc(owner->members, owner->capacity * sizeof *owner->members);
    }
    owner->members[owner->count++] = member;
  }
  sqlite3_reset(row);
}

static long long read_names(const Owner *owner) {
  long long bytes = 0;
  for (int i = 0; i < owner->count; i++) bytes += owner->members[i]->length;
  return bytes;
}

// Two statements: all owners, all members.
static long long prefetched(void *pointer) {
  State *state = pointer;
  long long bytes = 0;
  store_run(state->db, "BEGIN");
  fetch_owners(state);
  fetch_members(state, state->members_statement);
  for (int i = 0; i < state->count; i++) bytes += read_names(state->order[i]);
  store_run(state->db, "COMMIT");
  return bytes;
}

// One statement for all owners, and one more for each.
static long long one_by_one(void *pointer) {
  State *state = pointer;
  long long bytes = 0;
  store_run(state->db, "BEGIN");
  fetch_owners(state);
  for (int i = 0; i < state->count; i++) {
    sqlite3_bind_int64(state->members_of_one, 1, state->order[i]->key);
    fetch_members(state, state->members_of_one);
    bytes += read_names(state->order[i]);
  }
  store_run(state->db, "COMMIT");
  return bytes;
}

void run_n1(const char *folder) {
  sqlite3 *db = store_open(folder, OWNER_STORE);
  State state = {.db = db,
                 .owners_statement = store_prepare(db, "SELECT Z_PK,Z_ENT,Z_OPT,ZNAME FROM ZOWNER"),
                 .members_statement = store_prepare(db, "SELECT " MEMBER_COLUMNS " FROM ZMEMBER"),
                 .members_of_one = store_prepare(db, "SELECT " MEMBER_COLUMNS " FROM ZMEMBER WHERE ZOWNER=?")};
  measure(&(Work){"N1-prefetched", &state, clear, prefetched});
  measure(&(Work){"N1-one-by-one", &state, clear, one_by_one});
  clear(&state);
  sqlite3_finalize(state.owners_statement);
  sqlite3_finalize(state.members_statement);
  sqlite3_finalize(state.members_of_one);
  sqlite3_close(db);
}
