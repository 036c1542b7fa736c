/// A row that a batch request has written: its key, and its entity's number.
package struct BatchedRow: Hashable {
  package let key: Int64
  package let number: Int

  package init(key: Int64, number: Int) { (self.key, self.number) = (key, number) }
}

/// The information about the changed rows that a batch request needs besides their number.
package struct BatchOptions {
  /// The rows themselves.
  package var rows = false
  /// Whether it needs other rows that have changed as well, because contexts have to merge them.
  package var others = false
}

/// The result of a batch request in one store.
package struct BatchChanges {
  /// The number of rows that the request has inserted, updated or deleted.
  package var count = 0
  package var inserted: ContiguousArray<BatchedRow> = []
  package var updated: ContiguousArray<BatchedRow> = []
  package var deleted: ContiguousArray<BatchedRow> = []
  /// Rows that have changed because others did: members of deleted rows, and rows whose derived attributes have changed.
  package var others: Set<BatchedRow> = []
  /// The row cache's numbers of the root entities some of whose rows have changed.
  package var roots: Set<Int> = []
  /// Whether members of relationships may be others now.
  package var changesRelations = false

  package init() {}
}
