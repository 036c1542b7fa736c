/// A row that a batch request has written: its key, and its entity's number.
struct BatchedRow: Hashable {
  let key: Int64
  let number: Int
}

/// The information about its rows that a batch request needs besides their number.
struct BatchOptions {
  /// The rows themselves.
  var rows = false
  /// Other rows that changed with them: contexts are to know of those, too.
  var others = false
}

/// The result of a batch request in one store.
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
