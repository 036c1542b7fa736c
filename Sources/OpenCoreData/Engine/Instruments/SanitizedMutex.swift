#if THREAD_SANITIZER
  import Foundation

  /// Takes the place of `Synchronization.Mutex` in builds for the thread sanitizer.
  ///
  /// The sanitizer sees pthread's locks, but not the kernel's locks that Swift's mutex uses on Linux, so that every use of
  /// values under such a mutex would look like a race. A declaration in the module itself hides an imported one of the same
  /// name, so that no other code has to change; other builds are not affected at all.
  ///
  /// While a `deinit` runs, the sanitizer ignores the thread, because it does not see reference counts either. But objects
  /// are released on any thread, and their use of the identity map is what must be checked. So all code under the lock runs
  /// in a fiber, which the sanitizer does not ignore. To the sanitizer, a fiber is a thread of its own, which begins where
  /// the caller waits.
  struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let storage: Storage

    init(_ value: consuming sending Value) { storage = Storage(value) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      // The fibers are switched here and not in separate functions, because each fiber has its own record of calls.
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

    private final class Storage: @unchecked Sendable {  // `lock` guards the value
      let lock = NSLock()
      nonisolated(unsafe) var value: Value

      init(_ value: consuming sending Value) { self.value = value }
    }
  }

  /// Turns the locks off, for the test that shows that the sanitizer reports races without locks.
  enum SanitizedMutex {
    nonisolated(unsafe) static var isOff = false  // set before there is a second thread
  }

  /// The fiber in which a thread runs all code under locks.
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

  // Functions of the sanitizer's library: sanitizer/tsan_interface.h.
  @_silgen_name("__tsan_get_current_fiber") private func currentFiber() -> UnsafeMutableRawPointer
  @_silgen_name("__tsan_create_fiber") private func makeFiber(_ flags: UInt32) -> UnsafeMutableRawPointer
  @_silgen_name("__tsan_destroy_fiber") private func destroyFiber(_ fiber: UnsafeMutableRawPointer)
  @_silgen_name("__tsan_switch_to_fiber") private func switchToFiber(_ fiber: UnsafeMutableRawPointer, _ flags: UInt32)
#endif
