#pragma once

/// Retains a Swift object unless its deinitialisation has begun; NULL then.
///
/// The identity map calls it under its lock: a plain retain could revive an object whose count is already zero.
static inline void *_Nullable runtime_try_retain(void *_Nonnull object) {
  extern void *_Nullable runtime_swift_try_retain(void *_Nonnull) __asm__("swift_tryRetain");
  return runtime_swift_try_retain(object);
}
