// Primary key -> object, open addressing, as an object graph needs it.
#ifndef IDENTITY_MAP_H
#define IDENTITY_MAP_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t key;
  void *object;
} MapEntry;

typedef struct {
  MapEntry *entries;
  size_t capacity;
  size_t count;
} IdentityMap;

void *map_find(const IdentityMap *map, int64_t key);
void map_insert(IdentityMap *map, int64_t key, void *object);
// Takes the object of a key out, and gives it; NULL where there is none.
void *map_remove(IdentityMap *map, int64_t key);
// Calls `release` for every object, then forgets them all.
void map_clear(IdentityMap *map, void (*release)(void *));

#endif
