#pragma once

#include <stdint.h>
#include <string.h>

// Finds classes by their bare names, in what the Swift run time knows of the program. Code that registers itself is found that
// way before Swift 6.3. The layouts are those of Swift's executables since 5.9; with a later compiler nothing here is called.

#pragma clang assume_nonnull begin

/// What the Swift run time knows of one executable or library: its version, its address, and its ranges of records.
typedef struct {
  uintptr_t version;
  const void *base;
  uintptr_t unused[2];
  struct {
    uintptr_t start;
    size_t length;
  } protocols, conformances, types;
} runtime_swift_image;

/// How the description of a type begins. The offsets are relative to their own addresses.
typedef struct {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t access;
} runtime_type_description;

/// Calls `body` with each image, until it returns 0.
static inline void runtime_swift_images(
    _Bool (*body)(const runtime_swift_image *image, void *_Nullable info), void *_Nullable info) {
  extern void runtime_swift_all_images(_Bool (*)(const runtime_swift_image *, void *_Nullable), void *_Nullable)
      __asm__("swift_enumerateAllMetadataSections");
  runtime_swift_all_images(body, info);
}

/// Calls `body` with the description and the type of each class in the image that has the bare name, in any module.
static inline void runtime_named_types(
    const runtime_swift_image *image, const char *name, void *_Nullable info,
    void (*body)(void *_Nullable info, const void *description, const void *type)) {
  const int32_t *record = (const int32_t *)image->types.start;
  const int32_t *end = (const int32_t *)(image->types.start + image->types.length);
  for (; record < end; record++) {
    // The two lowest bits say what the offset leads to: 0 is a description, 1 a pointer to one.
    int kind = *record & 3;
    const void *target = (const char *)record + (*record & ~3);
    const runtime_type_description *found = kind == 0 ? target : kind == 1 ? *(const void *const *)target : NULL;
    // 16 is the kind of classes. Bit 7 is set if a type is generic: its function takes more arguments.
    if (!found || (found->flags & 0x9f) != 16) continue;
    if (strcmp((const char *)&found->name + found->name, name)) continue;
    struct response {
      const void *type;
      size_t state;
    };
    typedef __attribute__((swiftcall)) struct response access(size_t request);
    body(info, found, ((access *)((const char *)&found->access + found->access))(0).type);
  }
}

#pragma clang assume_nonnull end
