/// The changes of a context's objects since its last event ended. The next notification reports them, and undoing takes
/// them back.
struct ContextEvent {
  /// An object that was inserted, changed or deleted, with its state and values before the event.
  struct Entry {
    let object: NSManagedObject
    /// The object's state before the event; empty for an object that the event has inserted.
    let state: ObjectState
    /// The values that the object held besides its row; nil where all its values were the row's, and for an object that
    /// the event has inserted.
    let image: ObjectImage?
  }

  /// The entries in the order in which the objects were first changed; each object has the flag `inEvent`, unless it has
  /// left the context since.
  private(set) var entries: ContiguousArray<Entry> = []
  private var places = EntryPlaces()
  /// Events that observers are being told of. There are several if an observer ends another one meanwhile; the last one
  /// counts.
  private var told: ContiguousArray<ToldEvent> = []

  /// Objects of the context that were given to `insert(_:)` again.
  private var insertedAgain: Set<NSManagedObject> = []
  /// Objects that other contexts have inserted, and that a merge has brought into this context.
  private var merged: [NSManagedObject] = []
  /// Faults whose rows other contexts have changed, noted where fetched results controllers need them.
  private var touched: Set<NSManagedObject> = []

  /// Within a save, the changes that the last event has reported, if these are all changed objects of the context: the
  /// sets for the save's notifications need not be gathered again then. No object can have joined them without another
  /// event.
  var toldOfSave: ContextChanges?

  /// What the merge, or the merge policy, at work has changed, if children of the context wait for it.
  var effects: SavedChanges?

  /// Objects whose delete rules have not been applied yet.
  private(set) var pendingDeletions: ContiguousArray<NSManagedObject> = []
  /// Sets of members that may have been changed outside.
  var looseMembers = ListedLooseMembers()
  /// The number of running pieces of work during which a fetch must not end the event.
  private var holds = 0
  /// Whether the event is being ended by a fetch.
  var isEndedByFetch = false
  /// Whether the main queue has been asked to end the event.
  var isEndScheduled = false

  // Objects that were refreshed are not kept alive: refreshing is how programs keep their memory small.
  private var refreshed: ContiguousArray<(table: IdentityMap, key: Int64)> = []
  private var refreshedTooMany = false
  /// The largest number of refreshed objects that are noted; if there are more, all objects of the context are looked at.
  private var refreshedLimit = Self.leastRefreshedLimit
  private static let leastRefreshedLimit = 4096

  var isEmpty: Bool { entries.isEmpty && refreshed.isEmpty && merged.isEmpty && touched.isEmpty }

  @inline(__always)
  mutating func add(_ entry: Entry) { entries.append(entry) }

  /// Notes an object of the context that was given to `insert(_:)` again.
  mutating func noteInsertedAgain(_ object: NSManagedObject) { insertedAgain.insert(object) }

  /// Notes objects that other contexts have inserted, and that a merge has brought into this context.
  mutating func noteMerged(_ objects: [NSManagedObject]) { merged.append(contentsOf: objects) }

  /// Notes a fault whose row another context has changed.
  mutating func noteTouched(_ object: NSManagedObject) { touched.insert(object) }

  /// Whether ending the event would do nothing.
  @inline(__always)
  var isIdle: Bool { isEmpty && pendingDeletions.isEmpty }

  /// Whether a fetch must not end the event now.
  @inline(__always)
  var isHeld: Bool { holds > 0 }

  @inline(__always)
  mutating func hold() { holds += 1 }

  @inline(__always)
  mutating func release() { holds -= 1 }

  /// Notes an object whose delete rules are applied when the event ends.
  @inline(__always)
  mutating func noteDeletion(of object: NSManagedObject) { pendingDeletions.append(object) }

  /// Takes the objects whose delete rules are to be applied now.
  mutating func takeDeletions() -> ContiguousArray<NSManagedObject> {
    defer { pendingDeletions = [] }
    return pendingDeletions
  }

  /// Takes the entries out of the event.
  mutating func takeEntries() -> ContiguousArray<Entry> {
    places = EntryPlaces()
    defer { entries = [] }
    return entries
  }

  /// Takes the objects that a merge has announced already out of the event.
  mutating func takeMerged() -> [NSManagedObject] {
    defer { merged = [] }
    return merged
  }

  /// Takes the objects that were given to `insert(_:)` again out of the event.
  mutating func takeInsertedAgain() -> Set<NSManagedObject> {
    defer { if !insertedAgain.isEmpty { insertedAgain = [] } }
    return insertedAgain
  }

  /// Takes the faults whose rows other contexts have changed out of the event.
  mutating func takeTouched() -> Set<NSManagedObject> {
    defer { if !touched.isEmpty { touched = [] } }
    return touched
  }

  /// The entry of an object in the event that observers are being told of, or else in the current one.
  mutating func entry(of object: NSManagedObject) -> Entry? {
    if !told.isEmpty, let entry = told[told.count - 1].entry(of: object) { return entry }
    guard object.state.contains(.inEvent), let place = places.place(of: object, in: entries) else { return nil }
    return entries[place]
  }

  mutating func beginTelling(of entries: ContiguousArray<Entry>) { told.append(ToldEvent(entries: entries)) }

  mutating func endTelling() { told.removeLast() }

  /// Notes that an object was refreshed to the store's values.
  mutating func noteRefresh(of object: NSManagedObject) {
    guard !object.state.contains(.refreshed), let table = object.table else { return }
    object.state.insert(.refreshed)
    if refreshed.count == refreshedLimit {
      // Where the refreshed objects are a quarter of all objects, looking at all of them costs little more.
      refreshedLimit = max(refreshedLimit, table.objectCount / 4)
      if refreshed.count == refreshedLimit {
        refreshedTooMany = true
        return
      }
    }
    refreshed.append((table, object.key))
  }

  /// A place in the event, for `objectIDs(since:)`.
  var mark: (entries: Int, refreshed: Int) { (entries.count, refreshed.count) }

  /// The IDs of the objects that have been changed or refreshed since then; nil if there were too many to note.
  func objectIDs(since mark: (entries: Int, refreshed: Int)) -> [NSManagedObjectID]? {
    if refreshedTooMany { return nil }
    let changed = entries.dropFirst(mark.entries).map(\.object)
    let refreshed = refreshed.dropFirst(mark.refreshed).compactMap { $0.table.object($0.key) }
    return (changed + refreshed).filter { !$0.isDetached && !$0.state.contains(.deleted) }.map(\.objectID)
  }

  /// Takes the refreshed objects that are still alive out of the event.
  mutating func takeRefreshed(from context: NSManagedObjectContext) -> Set<NSManagedObject> {
    if refreshed.isEmpty { return [] }
    var found: Set<NSManagedObject> = []
    func take(_ object: NSManagedObject?) {
      guard let object, object.state.contains(.refreshed) else { return }
      object.state.remove(.refreshed)
      found.insert(object)
    }
    if !refreshedTooMany { found.reserveCapacity(refreshed.count) }
    if refreshedTooMany {
      for table in context.identityMaps.all { table.all().forEach(take) }
    } else {
      for (table, key) in refreshed { take(table.object(key)) }
    }
    refreshed = []
    refreshedTooMany = false
    refreshedLimit = Self.leastRefreshedLimit
    return found
  }
}

/// The indices of the objects' entries, computed at the first look-up.
private struct EntryPlaces {
  private var places: [ObjectIdentifier: Int] = [:]
  private var count = 0

  mutating func place(of object: NSManagedObject, in entries: ContiguousArray<ContextEvent.Entry>) -> Int? {
    while count < entries.count {
      places[ObjectIdentifier(entries[count].object)] = count
      count += 1
    }
    return places[ObjectIdentifier(object)]
  }
}

/// An event that has ended, while observers are told of it.
private struct ToldEvent {
  let entries: ContiguousArray<ContextEvent.Entry>
  private var places = EntryPlaces()

  init(entries: ContiguousArray<ContextEvent.Entry>) { self.entries = entries }

  mutating func entry(of object: NSManagedObject) -> ContextEvent.Entry? {
    places.place(of: object, in: entries).map { entries[$0] }
  }
}
