import CoreData

extension SongEditor {
  /// Pushes the form's changes one level up: the list shows them, the store has nothing of them yet.
  ///
  /// - Throws: An `EditorProblem`, and then nothing was pushed.
  func push() throws {
    guard isOpen else { throw EditorProblem.isClosed }
    if isGone { throw EditorProblem.isGone }
    let mistyped = mistyped
    if !mistyped.isEmpty { throw EditorProblem.invalid(mistyped) }
    let conflicts = conflicts
    if !conflicts.isEmpty { throw EditorProblem.conflicts(conflicts) }
    try form.save()
    wasPushed()
  }

  /// Pushes the form's changes, and has all levels above save them. The main queue does not wait for a writer with a queue of
  /// its own.
  ///
  /// - Throws: An `EditorProblem`, and then nothing was pushed; the errors of saving, 133020 for a conflict in the store, and
  ///   then the changes are the list's, unsaved: `write(_:)` tries again.
  func save() async throws {
    try push()
    try await Self.write(list)
  }

  /// Saves a context and those above it, each on its queue.
  ///
  /// - Throws: The errors of the first save that fails.
  static func write(_ list: NSManagedObjectContext) async throws {
    try list.save()
    var above = list.parent
    while let context = above {
      try await context.perform { if context.hasChanges { try context.save() } }
      above = context.parent
    }
  }
}
