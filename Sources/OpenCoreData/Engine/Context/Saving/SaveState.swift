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

  mutating func begin() { isRunning = true }

  mutating func end() { isRunning = false }

  mutating func guardAgainstConflicts(_ object: NSManagedObject) { guarded.insert(object) }

  mutating func forgetGuarded() { guarded = [] }
}
