/// What has happened to a context's objects since its last event ended: what the next notification tells of, and what
/// undoing takes back.
struct ContextEvent {
  /// An object that was inserted, changed or deleted, with what it was before.
  struct Entry {
    let object: NSManagedObject
    /// Which changes it had; none for one that has just been inserted.
    let state: ObjectState
    /// What it had of its own; nil where all its values were the row's, and for one that has just been inserted.
    let image: ObjectImage?
  }

  /// In the order in which they were touched; each object has the bit `inEvent`, unless it has left the context since.
  var entries: ContiguousArray<Entry> = []

  // Objects that were refreshed are not kept alive: refreshing is how programs keep their memory small.
  private var refreshed: ContiguousArray<(table: EntityTable, key: Int64)> = []
  private var refreshedTooMany = false
  private static let refreshedLimit = 4096

  var isEmpty: Bool { entries.isEmpty && refreshed.isEmpty }

  /// Notes that an object shows what the store has now.
  mutating func noteRefresh(of object: NSManagedObject) {
    guard !object.state.contains(.refreshed), let table = object.table else { return }
    object.state.insert(.refreshed)
    if refreshed.count < Self.refreshedLimit {
      refreshed.append((table, object.key))
    } else {
      refreshedTooMany = true
    }
  }

  /// The refreshed objects that somebody still has; they are noted no more.
  mutating func takeRefreshed(from context: NSManagedObjectContext) -> Set<NSManagedObject> {
    if refreshed.isEmpty { return [] }
    var found: Set<NSManagedObject> = []
    func take(_ object: NSManagedObject?) {
      guard let object, object.state.contains(.refreshed) else { return }
      object.state.remove(.refreshed)
      found.insert(object)
    }
    if refreshedTooMany {
      for table in context.families.lazy.flatMap(\.tables) { table.all().forEach(take) }
    } else {
      for (table, key) in refreshed { take(table.object(key)) }
    }
    refreshed = []
    refreshedTooMany = false
    return found
  }
}
