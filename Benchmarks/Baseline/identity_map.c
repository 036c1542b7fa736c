#include "identity_map.h"

#include <stdlib.h>

static size_t slot(int64_t key, size_t capacity) {
  return (((uint64_t)key * 0x9E3779B97F4A7C15ull) >> 20) & (capacity - 1);
}

void *map_find(const IdentityMap *map, int64_t key) {
  if (map->capacity == 0) return NULL;
  for (size_t i = slot(key, map->capacity); map->entries[i].object; i = (i + 1) & (map->capacity - 1)) {
    if (map->entries[i].key == key) return map->entries[i].object;
  }
  return NULL;
}

static void grow(IdentityMap *map) {
  IdentityMap old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->entries = calloc(map->capacity, sizeof(MapEntry));
  map->count = 0;
  for (size_t i = 0; i < old.capacity; i++) {
    if (old.entries[i].object) map_insert(map, old.entries[i].key, old.entries[i].object);
  }
  free(old.entries);
}

void map_insert(IdentityMap *map, int64_t key, void *object) {
  if ((map->count + 1) * 10 > map->capacity * 7) grow(map);
  size_t i = slot(key, map->capacity);
  while (map->entries[i].object && map->entries[i].key != key) i = (i + 1) & (map->capacity - 1);
  if (!map->entries[i].object) map->count++;
  map->entries[i] = (MapEntry){key, object};
}

void *map_remove(IdentityMap *map, int64_t key) {
  if (map->capacity == 0) return NULL;
  size_t mask = map->capacity - 1, hole = slot(key, map->capacity);
  while (map->entries[hole].object && map->entries[hole].key != key) hole = (hole + 1) & mask;
  void *object = map->entries[hole].object;
  if (!object) return NULL;
  // An entry behind the hole moves into it, unless its own place is behind the hole as well.
  for (size_t i = (hole + 1) & mask; map->entries[i].object; i = (i + 1) & mask) {
    size_t home = slot(map->entries[i].key, map->capacity);
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    map->entries[hole] = map->entries[i];
    hole = i;
  }
  map->entries[hole] = (MapEntry){0};
  map->count--;
  return object;
}

void map_clear(IdentityMap *map, void (*release)(void *)) {
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->entries[i].object) release(map->entries[i].object);
  }
  free(map->entries);
  *map = (IdentityMap){0};
}
