/// A row that a batch request has written: its key, and its entity's number.
package struct BatchedRow: Hashable {
  package let key: Int64
  package let number: Int

  package init(key: Int64, number: Int) { (self.key, self.number) = (key, number) }
}

/// The information about its rows that a batch request needs besides their number.
package struct BatchOptions {
  /// The rows themselves.
  package var rows = false
  /// Other rows that changed with them: contexts are to know of those, too.
  package var others = false
}

/// The result of a batch request in one store.
package struct BatchChanges {
  /// How many rows it is about.
  package var count = 0
  package var inserted: ContiguousArray<BatchedRow> = []
  package var updated: ContiguousArray<BatchedRow> = []
  package var deleted: ContiguousArray<BatchedRow> = []
  /// Rows that changed because others did: members of what was deleted, and those whose derived attributes changed.
  package var others: Set<BatchedRow> = []
  /// The row cache's numbers of the root entities some of whose rows have changed.
  package var roots: Set<Int> = []
  /// Whether members of relationships may be others now.
  package var changesRelations = false

  package init() {}
}
