#pragma once

#include "NamedTypes.h"

/// Retains a Swift object unless its deinitialisation has begun; NULL then.
///
/// The identity map calls it under its lock: a plain retain could revive an object whose count is already zero.
static inline void *_Nullable runtime_try_retain(void *_Nonnull object) {
  extern void *_Nullable runtime_swift_try_retain(void *_Nonnull) __asm__("swift_tryRetain");
  return runtime_swift_try_retain(object);
}

/// Retains a Swift object that many times in one step.
static inline void runtime_retain(void *_Nonnull object, unsigned count) {
  extern void *_Nonnull runtime_swift_retain_n(void *_Nonnull, unsigned) __asm__("swift_retain_n");
  runtime_swift_retain_n(object, count);
}

/// Whether two addresses are in the same executable or library.
int runtime_same_image(const void *_Nonnull first, const void *_Nonnull second);

/// Where the calling thread keeps the innermost context that it is inside of.
void *_Nullable *_Nonnull runtime_current_context(void);

/// Where the calling thread keeps what released objects have handed over to be let go of; see `ReleasePool` in OpenCoreData.
void *_Nullable *_Nonnull runtime_release_pool(void);

/// Where the calling thread keeps what its evaluator asks an object at the moment; see `EvaluatorQuestion`.
void *_Nullable *_Nonnull runtime_evaluation_question(void);

/// Where the calling thread keeps what may end its evaluations; see `EvaluationLimit`.
void *_Nullable *_Nonnull runtime_evaluation_limit(void);

/// Where the calling thread keeps what it is about to let go of; see `TreeRelease`.
void *_Nullable *_Nonnull runtime_released_parts(void);

/// The lowest address that a recursion of the calling thread may come to, so that what it calls has room; 1 if unknown.
unsigned long runtime_lowest_frame(void);

/// Whether the calling thread's stack has room for another step of a recursion.
static inline int runtime_has_stack(void) {
  return __builtin_expect((unsigned long)__builtin_frame_address(0) > runtime_lowest_frame(), 1);
}

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

/// Who watches what the framework does, a bit for each; see `Watchers` in OpenCoreData.
extern int runtime_watchers;

/// The value of `runtime_watchers`, read so that the shortest work can afford it.
static inline int runtime_watching(void) {
  return __builtin_expect(__atomic_load_n(&runtime_watchers, __ATOMIC_RELAXED), 0);
}

/// Sets and clears bits of `runtime_watchers`.
static inline void runtime_set_watching(int bits, int is_on) {
  if (is_on) __atomic_fetch_or(&runtime_watchers, bits, __ATOMIC_RELAXED);
  else __atomic_fetch_and(&runtime_watchers, ~bits, __ATOMIC_RELAXED);
}

/// What a fault that fires on this thread has run so far, while it is recorded.
typedef struct {
  /// Whether the first statement is to be noted here, in place of an event of its own.
  int is_open;
  /// Whether a statement was.
  int has_statement;
  /// The number of its text in the recording.
  unsigned statement;
  unsigned recording;
  long rows;
} runtime_fault_note;

/// The calling thread's.
runtime_fault_note *_Nonnull runtime_thread_fault(void);

/// The processor's counter of time, which all processors have in common; its unit is not known.
static inline unsigned long long runtime_ticks(void) {
#if defined(__x86_64__)
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
#elif defined(__aarch64__)
  unsigned long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  extern unsigned long long runtime_clock_ticks(void);
  return runtime_clock_ticks();
#endif
}

/// Writes the addresses that the functions in which the calling thread is will return to, innermost first, as far as frame
/// pointers lead; `hash` is a hash of them all.
/// - Returns: how many there are.
int runtime_call_stack(unsigned long *_Nonnull frames, int limit, unsigned long long *_Nonnull hash);

/// A mangled Swift name as people write it, to be freed; NULL if it is none.
char *_Nullable runtime_demangle(const char *_Nonnull name, unsigned long length);

/// Calls `body` with the path, the first and the last address and the load address of all that is loaded of the program
/// and its libraries.
void runtime_images(
    void (*_Nonnull body)(
        void *_Nullable info, const char *_Nonnull path, unsigned long start, unsigned long end, unsigned long base),
    void *_Nullable info);

/// Has `body` called when the program ends by itself.
int runtime_at_exit(void (*_Nonnull body)(void));

/// The most memory that the process has had so far, in bytes.
long runtime_peak_memory(void);
