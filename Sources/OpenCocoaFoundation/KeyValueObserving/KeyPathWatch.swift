import Foundation

/// Watches the first key of a path on one object, for an observation.
///
/// A path of several keys is a chain of watches. The next watch is on the object that is the value of the first key, and is
/// replaced when that value changes. Keys that the first key depends on have watches of their own. Weak references are loaded
/// atomically, and only the initialiser sets them.
final class KeyPathWatch: @unchecked Sendable {
  let observance: Observance
  private weak var object: AnyObject?
  private let keys: ArraySlice<String>
  /// The watch before this one in its chain.
  private weak var previous: KeyPathWatch?
  /// The watch whose value depends on the value of this chain; nil for the chain of the observed path itself.
  private weak var dependent: KeyPathWatch?
  // Both are protected by the lock of ObservationTable.
  private var next: KeyPathWatch?
  private var dependencies: [KeyPathWatch] = []

  init(
    _ observance: Observance, _ object: AnyObject, _ keys: ArraySlice<String>, previous: KeyPathWatch? = nil,
    dependent: KeyPathWatch? = nil
  ) {
    self.observance = observance
    self.object = object
    self.keys = keys
    self.previous = previous
    self.dependent = dependent
  }

  private var key: String { keys.first ?? "" }

  /// Whether the key is the last one of the observed path, and not a key on the way or a key that the observed one depends on.
  var isAtTheEnd: Bool { keys.count == 1 && head.dependent == nil }

  private var head: KeyPathWatch {
    var head = self
    while let previous = head.previous { head = previous }
    return head
  }

  /// Begins to watch the whole path. A loop, not a recursion, goes through the links, because a path may have thousands.
  func begin() {
    var watch: KeyPathWatch? = self
    while let current = watch { watch = current.beginFirst() }
  }

  /// Watches the first key.
  /// - Returns: the watch of the rest of the path, which has not begun.
  private func beginFirst() -> KeyPathWatch? {
    guard let object else { return nil }
    var isFirst = false
    ObservationTable.shared.insert(object) { observed in
      observed.watches[key, default: []].append(self)
      isFirst = observed.watches[key]?.count == 1
    }
    if isFirst { (object as? any KeyObservationMarked)?.markObserved(true, forKey: key) }
    let type: AnyClass = type(of: object)
    let paths =
      (type as? any NSKeyValueObserving.Type)?.keyPathsForValuesAffectingValue(forKey: key)
      ?? ClassMembers.keyPathsAffecting(key, of: type)
    var dependencies: [KeyPathWatch] = []
    for path in paths.sorted() {
      let keys = path.keysOfPath[...]
      // A class may declare that two properties depend on each other.
      guard let first = keys.first, !isWatching(first, object) else { continue }
      dependencies.append(KeyPathWatch(observance, object, keys, dependent: self))
    }
    ObservationTable.shared.locked { self.dependencies = dependencies }
    for dependency in dependencies { dependency.begin() }
    return makeNext()
  }

  /// Whether this watch, or a watch that depends on it, watches the given key of the object.
  private func isWatching(_ key: String, _ object: AnyObject) -> Bool {
    var watch: KeyPathWatch? = self
    while let current = watch {
      if current.key == key, current.object === object { return true }
      watch = current.dependent
    }
    return false
  }

  /// Makes the watch of the rest of the path on the value of the first key. It replaces the watch on the previous value.
  private func makeNext() -> KeyPathWatch? {
    guard keys.count > 1, let object else { return nil }
    var made: KeyPathWatch?
    if let value = unwrapped(KeyValueCoding.value(of: object, forKey: key)), !isNull(value) {
      let rest = keys.dropFirst()
      if !(value is NSDictionary), elements(of: value) != nil {
        KeyValueObserving.notSupported(
          value, "addObserver:forKeyPath:options:context:", rest.joined(separator: "."))
      }
      if type(of: value) is AnyClass {
        made = KeyPathWatch(observance, value as AnyObject, rest, previous: self)
      }
    }
    let old = ObservationTable.shared.locked {
      let old = next
      next = made
      return old
    }
    old?.end()
    return made
  }

  /// Watches the rest of the path on the new value after a change. Does the same for the paths that depend on this one.
  func follow() {
    if observance.isOver { return }
    var watch: KeyPathWatch? = self
    while let current = watch {
      current.makeNext()?.begin()
      watch = current.head.dependent
    }
  }

  /// Ends this watch, the watches of the rest of the path, and those of the keys that they depend on.
  /// - Parameter unmarks: whether `markObserved(false)` is called on an object that is no longer observed.
  func end(unmarks: Bool = true) {
    var watches = [self]
    while let watch = watches.popLast() {
      watches += ObservationTable.shared.locked {
        let inner = watch.dependencies + (watch.next.map { [$0] } ?? [])
        watch.dependencies = []
        watch.next = nil
        return inner
      }
      watch.endFirst(unmarks: unmarks)
    }
  }

  private func endFirst(unmarks: Bool) {
    guard let object else { return }
    let isLast = ObservationTable.shared.locked(object) { observed -> Bool? in
      observed.watches[key]?.removeAll { $0 === self }
      if observed.watches[key]?.isEmpty != true { return false }
      observed.watches[key] = nil
      return true
    }
    if isLast == true, unmarks { (object as? any KeyObservationMarked)?.markObserved(false, forKey: key) }
    ObservationTable.shared.removeIfUnused(object, unmarks: unmarks)
  }
}
