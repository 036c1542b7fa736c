import Foundation

/// The user info of `NSManagedObjectContextObjectsDidChange`. It is used again for the next event where both have the
/// same single kind of change.
///
/// As with `SavedUserInfo`, an observer that keeps the dictionary keeps it as it was.
struct ChangeUserInfo {
  /// A key for each kind of change that there was, with the objects.
  private(set) var contents: [AnyHashable: Any] = [:]
  /// The only key in `contents`; nil where it is empty or has several.
  private var onlyKey: String?

  /// - Returns: whether there is any change to report.
  mutating func put(_ changes: ContextChanges) -> Bool {
    var first: (key: String, objects: Set<NSManagedObject>)?
    var others: [(key: String, objects: Set<NSManagedObject>)] = []
    func add(_ objects: Set<NSManagedObject>, _ key: String) {
      if objects.isEmpty { return }
      if first == nil { first = (key, objects) } else { others.append((key, objects)) }
    }
    add(changes.inserted, NSInsertedObjectsKey)
    add(changes.updated, NSUpdatedObjectsKey)
    add(changes.deleted, NSDeletedObjectsKey)
    add(changes.refreshed, NSRefreshedObjectsKey)
    guard let first else { return false }
    if others.isEmpty, first.key == onlyKey {
      contents.values[contents.startIndex] = first.objects
      return true
    }
    contents = [first.key: first.objects]
    for other in others { contents[other.key] = other.objects }
    onlyKey = others.isEmpty ? first.key : nil
    return true
  }

  /// Drops the references to the objects.
  mutating func clear() {
    if onlyKey != nil {
      contents.values[contents.startIndex] = Set<NSManagedObject>()
    } else if !contents.isEmpty {
      contents = [:]
    }
  }
}
