#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "measure.h"
#include "objects.h"
#include "store.h"
#include "workloads.h"

typedef struct {
  Object **objects;
  int count, capacity;
} Members;

typedef struct {
  sqlite3 *db;
  IdentityMap selfies, people, networks;
  Members peopleOf[COUNT + 1], networksOf[COUNT + 1];
} Graph;

static void clear(void *pointer) {
  Graph *graph = pointer;
  for (int i = 0; i <= COUNT; i++) {
    free(graph->peopleOf[i].objects);
    free(graph->networksOf[i].objects);
  }
  memset(graph->peopleOf, 0, sizeof graph->peopleOf);
  memset(graph->networksOf, 0, sizeof graph->networksOf);
  map_clear(&graph->selfies, object_free);
  map_clear(&graph->people, object_free);
  map_clear(&graph->networks, object_free);
}

static void load_members(sqlite3 *db, const char *sql, const IdentityMap *map, Members *members) {
  sqlite3_stmt *statement = store_prepare(db, sql);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Members *of = &members[sqlite3_column_int(statement, 0)];
    if (of->count == of->capacity) {
      of->capacity = of->capacity ? of->capacity * 2 : 1;
      of->objects = realloc(of->objects, of->capacity * sizeof *of->objects);
    }
    of->objects[of->count++] = map_find(map, sqlite3_column_int64(statement, 1));
  }
  sqlite3_finalize(statement);
}

static long long read_names(const Graph *graph) {
  long long bytes = 0;
  for (int selfie = 1; selfie <= data_selfies(); selfie++) {
    const Members *people = &graph->peopleOf[selfie], *networks = &graph->networksOf[selfie];
    for (int i = 0; i < people->count; i++) bytes += people->objects[i]->length;
    for (int i = 0; i < networks->count; i++) bytes += networks->objects[i]->length;
  }
  return bytes;
}

static long long work(void *pointer) {
  Graph *graph = pointer;
  objects_fetch(graph->db, "SELECT " COLUMNS " FROM ZSELFIE ORDER BY Z_PK", &graph->selfies);
  objects_fetch(graph->db, "SELECT " COLUMNS " FROM ZPERSON", &graph->people);
  objects_fetch(graph->db, "SELECT " COLUMNS " FROM ZSOCIALNETWORK", &graph->networks);
  load_members(graph->db, "SELECT Z_2SELFIES,Z_1PEOPLE FROM Z_1SELFIES ORDER BY Z_2SELFIES", &graph->people,
               graph->peopleOf);
  load_members(graph->db, "SELECT Z_2SELFIES1,Z_3SOCIALNETWORKS FROM Z_2SOCIALNETWORKS ORDER BY Z_2SELFIES1",
               &graph->networks, graph->networksOf);
  return read_names(graph);
}

void run_a3(const char *folder) {
  static Graph graph;
  graph.db = store_open(folder, data_store());
  measure(&(Work){"A3", &graph, clear, work});
}
