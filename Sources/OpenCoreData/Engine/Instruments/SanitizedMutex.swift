#if THREAD_SANITIZER
  import Foundation

  /// Takes the place of `Synchronization.Mutex` in builds for the thread sanitizer.
  ///
  /// The sanitizer sees pthread's locks, but not the kernel's that Swift's mutex waits with on Linux: everything that is
  /// used under one would look like a race. A declaration of the module itself hides an imported one of the same name,
  /// so that nothing else differs, and nothing at all in other builds.
  ///
  /// While a `deinit` runs, the sanitizer looks away from what its thread does, since it does not see reference counts
  /// either. Objects are released on any thread, and what they then do to the identity map is what must be checked: what
  /// is done under the lock is done in a fiber, for which the sanitizer looks. To it, that is a thread of its own, which
  /// begins where the caller waits.
  struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let storage: Storage

    init(_ value: consuming sending Value) { storage = Storage(value) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      // The fibers are switched here and not in functions of their own: each keeps its own account of calls.
      let outside = currentFiber(), inside = SanitizerFiber.ofThread
      if outside != inside { switchToFiber(inside, 0) }
      if !SanitizedMutex.isOff { storage.lock.lock() }
      nonisolated(unsafe) let outcome: Swift.Result<Result, Failure>
      do throws(Failure) {
        outcome = .success(try body(&storage.value))
      } catch {
        outcome = .failure(error)
      }
      if !SanitizedMutex.isOff { storage.lock.unlock() }
      if outside != inside { switchToFiber(outside, 0) }
      return try outcome.get()
    }

    private final class Storage: @unchecked Sendable {  // the value belongs to `lock`
      let lock = NSLock()
      nonisolated(unsafe) var value: Value

      init(_ value: consuming sending Value) { self.value = value }
    }
  }

  /// For the test that shows that the sanitizer would report what happens without locks.
  enum SanitizedMutex {
    nonisolated(unsafe) static var isOff = false  // set before there is a second thread
  }

  /// The fiber in which a thread does what it does under locks.
  private enum SanitizerFiber {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key) { fiber in fiber.map(destroyFiber) }
      return key
    }()

    static var ofThread: UnsafeMutableRawPointer {
      if let fiber = pthread_getspecific(key) { return fiber }
      let fiber = makeFiber(0)
      pthread_setspecific(key, fiber)
      return fiber
    }
  }

  // Of the sanitizer's library: sanitizer/tsan_interface.h.
  @_silgen_name("__tsan_get_current_fiber") private func currentFiber() -> UnsafeMutableRawPointer
  @_silgen_name("__tsan_create_fiber") private func makeFiber(_ flags: UInt32) -> UnsafeMutableRawPointer
  @_silgen_name("__tsan_destroy_fiber") private func destroyFiber(_ fiber: UnsafeMutableRawPointer)
  @_silgen_name("__tsan_switch_to_fiber") private func switchToFiber(_ fiber: UnsafeMutableRawPointer, _ flags: UInt32)
#endif
