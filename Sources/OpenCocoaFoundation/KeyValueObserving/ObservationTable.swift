import Foundation

/// An object that keeps a mark of its own of whether it is observed, so that changes of unobserved ones cost nothing.
package protocol ObservationMarked: AnyObject {
  /// Called when the first observation of the object, or of a path through it, begins and when the last one ends; not when
  /// it ends because the object that the path started from is gone.
  func markObserved(_ isObserved: Bool)
}

/// The observations of one object. Everything except the reference is protected by the lock of `ObservationTable`.
final class ObservedObject: @unchecked Sendable {
  weak var object: AnyObject?
  /// The observations that were begun on this object.
  var observances: [Observance] = []
  /// The key path watches that a change of a key concerns, also those of longer paths that lead through this object.
  var watches: [String: [KeyPathWatch]] = [:]
  /// The changes that have been announced and not happened yet.
  var pending: [PendingChange] = []

  init(_ object: AnyObject) {
    self.object = object
  }

  var isUnused: Bool { observances.isEmpty && watches.isEmpty && pending.isEmpty }
}

/// All objects that are observed, by identity. References are weak, so that the address of an object that is gone is not
/// taken for the next one's.
///
/// Nobody is called under the lock, and nothing of an application's is released under it.
final class ObservationTable: @unchecked Sendable {
  static let shared = ObservationTable()

  // Every access to the properties holds the lock.
  private let lock = NSLock()
  private var objects: [ObjectIdentifier: ObservedObject] = [:]
  private var sweepsAt = 64

  /// Calls `body` with the observations of an object; nil if it is not observed.
  func locked<Result>(_ object: AnyObject, _ body: (ObservedObject) -> Result?) -> Result? {
    lock.withLock {
      guard let observed = objects[ObjectIdentifier(object)], observed.object === object else { return nil }
      return body(observed)
    }
  }

  /// Like `locked`, for an object that may be about to be released, for which weak references are nil already.
  func lockedWhileDying<Result>(_ object: AnyObject, _ body: (ObservedObject) -> Result?) -> Result? {
    lock.withLock { objects[ObjectIdentifier(object)].flatMap(body) }
  }

  func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// Calls `body` with the observations of an object, which is observed from now on.
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

  /// Removes an object that is not observed any more.
  ///
  /// - Parameter unmarks: whether the object is told. It is not told on a thread on which it must not be used.
  func removeIfUnused(_ object: AnyObject, unmarks: Bool = true) {
    let removed = lock.withLock {
      let identifier = ObjectIdentifier(object)
      return objects[identifier]?.isUnused == true ? objects.removeValue(forKey: identifier) : nil
    }
    if removed != nil, unmarks { (object as? any ObservationMarked)?.markObserved(false) }
  }

  /// Removes the observations of objects that are gone. Called under the lock.
  /// - Returns: what was removed, and references to the other objects, which the caller releases outside of the lock.
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
