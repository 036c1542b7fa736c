#pragma once

/// Retains a Swift object unless its deinitialisation has begun; NULL then.
///
/// The identity map calls it under its lock: a plain retain could revive an object whose count is already zero.
static inline void *_Nullable runtime_try_retain(void *_Nonnull object) {
  extern void *_Nullable runtime_swift_try_retain(void *_Nonnull) __asm__("swift_tryRetain");
  return runtime_swift_try_retain(object);
}

/// Calls a Swift allocating initialiser `init(entity:insertInto:)` that was read from a class's vtable.
///
/// Both arguments and the result are at +1, as Swift passes them to an initialiser.
static inline void *_Nonnull runtime_call_initializer(
    const void *_Nonnull function, void *_Nonnull entity, void *_Nullable context, const void *_Nonnull type) {
  typedef __attribute__((swiftcall)) void *_Nonnull (*initializer)(
      void *_Nonnull, void *_Nullable, __attribute__((swift_context)) const void *_Nonnull);
  return ((initializer)function)(entity, context, type);
}

/// Whether two addresses are in the same executable or library.
int runtime_same_image(const void *_Nonnull first, const void *_Nonnull second);

/// Where the calling thread keeps the innermost context that it is inside of.
void *_Nullable *_Nonnull runtime_current_context(void);

/// A number for the calling thread that no other thread of the process has or had; never 0.
unsigned long long runtime_thread_number(void);

/// 1 while accesses to contexts and objects off their queues stop the program; set by the concurrency check alone.
extern int runtime_concurrency_debug;

/// The value of `runtime_concurrency_debug`, read so that every accessor can afford it.
static inline int runtime_checks_concurrency(void) {
  return __builtin_expect(__atomic_load_n(&runtime_concurrency_debug, __ATOMIC_RELAXED), 0);
}

/// Turns the concurrency check on or off.
static inline void runtime_set_concurrency_check(int is_on) {
  __atomic_store_n(&runtime_concurrency_debug, is_on, __ATOMIC_RELAXED);
}
