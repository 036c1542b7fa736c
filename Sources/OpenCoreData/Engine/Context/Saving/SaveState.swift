/// The settings of a context's saves, and whether one is going on. Belongs to the context's queue.
struct SaveState {
  /// Resolves the conflicts of a save.
  var policy = NSMergePolicy.error
  /// Whether a save validates. A migration validates later, when all its objects are there.
  var validates = true
  /// Whether a save is going on.
  private(set) var isRunning = false
  /// Unchanged objects for which the next save looks for conflicts.
  private(set) var guarded: Set<NSManagedObject> = []

  /// Objects with unsaved changes of members that only the members' rows need.
  private var looseEnds: Set<NSManagedObject> = []

  /// Whether some object may have been given to `insert(_:)` though it has a row, since the latest save.
  private(set) var mayHaveInsertedAgain = false

  /// What merge policies have changed in the running save, besides what it writes, for children that merge by themselves.
  private var resolved: SavedChanges?

  mutating func begin() { isRunning = true }

  mutating func end() { isRunning = false }

  mutating func note(resolved changes: SavedChanges) {
    if resolved == nil { resolved = changes } else { resolved?.append(changes) }
  }

  mutating func takeResolved() -> SavedChanges? { resolved == nil ? nil : resolved.take() }

  mutating func noteInsertedAgain() { mayHaveInsertedAgain = true }

  mutating func forgetInsertedAgain() { mayHaveInsertedAgain = false }

  mutating func guardAgainstConflicts(_ object: NSManagedObject) { guarded.insert(object) }

  mutating func forgetGuarded() { guarded = [] }

  /// Notes that an object which is not written itself has members that belong to other objects, or others than it had.
  mutating func noteLooseEnd(of object: NSManagedObject) { looseEnds.insert(object) }

  mutating func forgetLooseEnds() { if !looseEnds.isEmpty { looseEnds = [] } }

  /// Called when the members' rows were written, or their changes taken back: the objects read their members anew.
  mutating func settleLooseEnds() {
    if looseEnds.isEmpty { return }
    let objects = looseEnds
    looseEnds = []
    for object in objects where !object.isDetached && object.state.isDisjoint(with: .anyChange) {
      for slot in object.layout.slots where slot.kind == .toMany && slot.inverse != nil {
        guard let state = object.relations?.toMany(slot.relationIndex) else { continue }
        state.dropChanges()
        _ = state.forgetStored()
      }
    }
  }
}
