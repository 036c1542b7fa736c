import Foundation

/// An object that stores whether it is observed, so that changes cost nothing while it is not observed.
package protocol ObservationMarked: AnyObject {
  /// Called when the first observation of the object, or of a path through it, begins, and when the last one ends. It is not
  /// called if the last observation ends because the object at the start of its path was released.
  func markObserved(_ isObserved: Bool)
}

/// An object that has to know which of its keys are observed, since it follows a value for its observers.
package protocol KeyObservationMarked: AnyObject {
  /// Called when the first observation of a key begins and when the last one ends, on the thread that begins or ends it. It is not
  /// called if the last observation ends because the object at the start of its path was released.
  func markObserved(_ isObserved: Bool, forKey key: String)
}

/// The observations and announced changes of one observed object. The lock of `ObservationTable` protects all properties except
/// the weak reference.
final class ObservedObject: @unchecked Sendable {
  weak var object: AnyObject?
  /// The observations that were begun on this object.
  var observances: [Observance] = []
  /// The watches of each key, including those of longer paths that lead through this object.
  var watches: [String: [KeyPathWatch]] = [:]
  /// The changes that have been announced and are not finished yet.
  var pending: [PendingChange] = []

  init(_ object: AnyObject) {
    self.object = object
  }

  var isUnused: Bool { observances.isEmpty && watches.isEmpty && pending.isEmpty }
}

/// All observed objects, by identity. Each entry has a weak reference to its object, so that an entry of a released object is
/// not taken for that of a new object with the same address.
///
/// Code of an application is never called while the lock is held, and no object of an application is released then.
final class ObservationTable: @unchecked Sendable {
  static let shared = ObservationTable()

  // Every access to the properties holds the lock.
  private let lock = NSLock()
  private var objects: [ObjectIdentifier: ObservedObject] = [:]
  private var sweepsAt = 64

  /// Calls `body` with the entry of an object; returns nil if the object is not observed.
  func locked<Result>(_ object: AnyObject, _ body: (ObservedObject) -> Result?) -> Result? {
    lock.withLock {
      guard let observed = objects[ObjectIdentifier(object)], observed.object === object else { return nil }
      return body(observed)
    }
  }

  /// Does the same as `locked`, also for an object that is being deallocated, whose weak references are already nil.
  func lockedWhileDying<Result>(_ object: AnyObject, _ body: (ObservedObject) -> Result?) -> Result? {
    lock.withLock { objects[ObjectIdentifier(object)].flatMap(body) }
  }

  func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// Calls `body` with the entry of an object, which is made if there is none.
  func insert(_ object: AnyObject, _ body: (ObservedObject) -> Void) {
    let (isNew, unused, _) = lock.withLock {
      let identifier = ObjectIdentifier(object)
      if let observed = objects[identifier], observed.object === object {
        body(observed)
        return (false, [ObservedObject](), [AnyObject]())
      }
      let old = objects[identifier].map { [$0] } ?? []
      let observed = ObservedObject(object)
      objects[identifier] = observed
      body(observed)
      let (gone, alive) = sweep()
      return (true, old + gone, alive)
    }
    if isNew { (object as? any ObservationMarked)?.markObserved(true) }
    for observance in unused.lazy.flatMap(\.observances) { observance.abandon() }
  }

  /// Removes the entry of an object that is no longer observed.
  ///
  /// - Parameter unmarks: whether `markObserved(false)` is called on the object. Must be false if the object may not be used on
  ///   the current thread.
  func removeIfUnused(_ object: AnyObject, unmarks: Bool = true) {
    let removed = lock.withLock {
      let identifier = ObjectIdentifier(object)
      return objects[identifier]?.isUnused == true ? objects.removeValue(forKey: identifier) : nil
    }
    if removed != nil, unmarks { (object as? any ObservationMarked)?.markObserved(false) }
  }

  /// Removes the entries of released objects. Called while the lock is held.
  /// - Returns: the removed entries, and references to the other objects. The caller must release both after the lock.
  private func sweep() -> (gone: [ObservedObject], alive: [AnyObject]) {
    guard objects.count >= sweepsAt else { return ([], []) }
    var gone: [ObservedObject] = []
    var alive: [AnyObject] = []
    for (identifier, observed) in objects {
      if let object = observed.object {
        alive.append(object)
      } else {
        gone.append(observed)
        objects[identifier] = nil
      }
    }
    sweepsAt = max(64, objects.count * 2)
    return (gone, alive)
  }
}
