extension SQLiteStore {
  /// Moves the rows that triggers have changed since the last call into `changes`, so that `touchedRows` does not grow with
  /// them.
  func noteTouchedRows(_ changes: inout BatchChanges, _ options: BatchOptions, _ connection: SQLiteConnection) {
    changes.roots.formUnion(touchedRoots(connection))
    if options.others {
      for (number, keys) in connection.touchedRows.keys {
        changes.others.formUnion(keys.lazy.map { BatchedRow(key: $0, number: Int(clamping: number)) })
      }
    }
    connection.touchedRows.removeAll()
  }

  /// Gives the commit of a batch its number, and invalidates the cached rows of the entities that were changed.
  func publish(_ changes: BatchChanges) -> BatchChanges {
    let commit = nextCommit()
    for root in changes.roots { rows.invalidate(rootNumber: root, before: commit, all: true) }
    if changes.changesRelations { rows.invalidateRelations(before: commit) }
    return changes
  }

  /// Looks at the length of the log at once, because a batch may have made it very long.
  func checkpointAfterBatch() {
    commitsUntilLook.store(0, ordering: .relaxed)
    checkpointIfLong()
  }
}
