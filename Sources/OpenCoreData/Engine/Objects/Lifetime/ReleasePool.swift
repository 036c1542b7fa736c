import CRuntime

/// Releases what released objects hold one after the other instead of one inside the other.
///
/// An object that is released releases its members, and these release theirs: along a chain of objects the calls would
/// nest as deep as the chain is long, and threads have little stack. The first release on a thread opens the pool,
/// releases within it put their values into the pool, and the first one empties the pool before it returns.
enum ReleasePool {
  /// The objects to release. There are several lists, since each element is then one word.
  private struct Parts {
    var changes: ContiguousArray<Unmanaged<ChangedValues>> = []
    var states: ContiguousArray<ContiguousArray<AnyObject?>> = []
    var contexts: ContiguousArray<NSManagedObjectContext> = []
  }

  /// Lets go of an object's own values; the caller's reference is taken over.
  @inline(never)
  static func release(_ changes: Unmanaged<ChangedValues>) {
    if !changes._withUnsafeGuaranteedRef({ $0.mayHoldObjects }) { return changes.release() }
    let place = runtime_release_pool()
    if let pool = place.pointee {
      pool.assumingMemoryBound(to: Parts.self).pointee.changes.append(changes)
    } else {
      whileOpen(place) { changes.release() }
    }
  }

  /// Lets go of an object's relationships.
  @inline(never)
  static func empty(_ states: inout ContiguousArray<AnyObject?>) {
    var gone: ContiguousArray<AnyObject?> = []
    swap(&gone, &states)
    let place = runtime_release_pool()
    if let pool = place.pointee {
      pool.assumingMemoryBound(to: Parts.self).pointee.states.append(gone)
    } else {
      whileOpen(place) { gone = [] }
    }
  }

  /// Lets go of a context's parent.
  @inline(never)
  static func empty(_ parent: inout NSManagedObjectContext?) {
    guard parent != nil else { return }
    var gone: NSManagedObjectContext?
    swap(&gone, &parent)
    let place = runtime_release_pool()
    if let pool = place.pointee, let context = gone {
      pool.assumingMemoryBound(to: Parts.self).pointee.contexts.append(context)
    } else {
      whileOpen(place) { gone = nil }
    }
  }

  @inline(__always)
  private static func whileOpen(_ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ release: () -> Void) {
    var parts = Parts()
    withUnsafeMutablePointer(to: &parts) { pool in
      place.pointee = UnsafeMutableRawPointer(pool)
      release()
      // Each is released after it was taken out of the pool, since its release may add more to the pool.
      while true {
        if let changes = pool.pointee.changes.popLast() {
          changes.release()
        } else if let states = pool.pointee.states.popLast() {
          withExtendedLifetime(states) {}
        } else if let context = pool.pointee.contexts.popLast() {
          withExtendedLifetime(context) {}
        } else {
          break
        }
      }
      place.pointee = nil
    }
  }
}
