extension SQLiteStore {
  /// Adds the rows that triggers have changed since the last call; memory does not grow with their number.
  func noteTouchedRows(_ changes: inout BatchChanges, _ options: BatchOptions, _ connection: SQLiteConnection) {
    changes.roots.formUnion(touchedRoots(connection))
    if options.others {
      for (number, keys) in connection.touchedRows.keys {
        changes.others.formUnion(keys.lazy.map { BatchedRow(key: $0, number: Int(clamping: number)) })
      }
    }
    connection.touchedRows.removeAll()
  }

  /// Dates the commit of a batch: what the cache knew of changed rows is forgotten.
  func publish(_ changes: BatchChanges) -> BatchChanges {
    let commit = nextCommit()
    for root in changes.roots { rows.invalidate(rootNumber: root, before: commit, all: true) }
    if changes.changesRelations { rows.invalidateRelations(before: commit) }
    return changes
  }

  /// A batch may have made the log very long.
  func checkpointAfterBatch() {
    commitsUntilLook.store(0, ordering: .relaxed)
    checkpointIfLong()
  }
}
