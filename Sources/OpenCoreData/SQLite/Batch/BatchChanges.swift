/// A row that a batch request has written: its key, and its entity's number.
struct BatchedRow: Hashable {
  let key: Int64
  let number: Int
}

/// What a batch request has to tell of the rows beside their number.
struct BatchWishes {
  /// The rows themselves.
  var rows = false
  /// Other rows that changed with them: contexts are to know of those, too.
  var others = false
}

/// What a batch request has done to one store.
struct BatchChanges {
  /// How many rows it is about.
  var count = 0
  var inserted: ContiguousArray<BatchedRow> = []
  var updated: ContiguousArray<BatchedRow> = []
  var deleted: ContiguousArray<BatchedRow> = []
  /// Rows that changed because others did: members of what was deleted, and those whose derived attributes changed.
  var others: Set<BatchedRow> = []
  /// The row cache's numbers of the root entities some of whose rows have changed.
  var roots: Set<Int> = []
  /// Whether members of relationships may be others now.
  var changesRelations = false
}

extension SQLStore {
  /// Takes over which rows triggers have changed since this was last asked; memory does not grow with them.
  func noteTouchedRows(_ changes: inout BatchChanges, _ wishes: BatchWishes, _ connection: SQLiteConnection) {
    changes.roots.formUnion(touchedRoots(connection))
    if wishes.others {
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
