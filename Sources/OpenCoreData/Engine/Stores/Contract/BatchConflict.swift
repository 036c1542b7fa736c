import Foundation

/// A row of a batch insert has unique values that another row has already; the context turns this into Apple's error.
package struct BatchConflict: Error, @unchecked Sendable {  // thrown and caught by one thread, in one transaction
  package let constraint: UniquenessConstraint
  /// The row that already has the values, as it was before.
  package let row: Snapshot
  /// Whether the batch itself has inserted that row.
  package let isNew: Bool
  package let layout: EntityLayout
  /// The values that were to be written, by slot.
  package let values: ContiguousArray<StoredValue>

  package init(
    constraint: UniquenessConstraint, row: Snapshot, isNew: Bool, layout: EntityLayout,
    values: ContiguousArray<StoredValue>
  ) {
    (self.constraint, self.row, self.isNew, self.layout, self.values) = (constraint, row, isNew, layout, values)
  }
}
