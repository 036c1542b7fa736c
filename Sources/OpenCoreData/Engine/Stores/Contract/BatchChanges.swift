/// A row that a batch request has written: its key, and its entity's number.
package struct BatchedRow: Hashable {
  package let key: Int64
  package let number: Int

  package init(key: Int64, number: Int) { (self.key, self.number) = (key, number) }
}

/// The parts of a batch request's result that are needed besides the number of rows.
package struct BatchOptions {
  /// Whether the rows themselves are needed.
  package var rows = false
  /// Whether the caller needs the other rows that changed with these rows, because contexts must know of them, too.
  package var others = false
}

/// The result of a batch request in one store.
package struct BatchChanges {
  /// The number of rows in the result.
  package var count = 0
  package var inserted: ContiguousArray<BatchedRow> = []
  package var updated: ContiguousArray<BatchedRow> = []
  package var deleted: ContiguousArray<BatchedRow> = []
  /// Rows that changed as a consequence: rows that were related to deleted ones, and rows with changed derived attributes.
  package var others: Set<BatchedRow> = []
  /// The numbers, as in the row cache, of the root entities that have changed rows.
  package var roots: Set<Int> = []
  /// Whether members of relationships may have changed.
  package var changesRelations = false

  package init() {}
}
