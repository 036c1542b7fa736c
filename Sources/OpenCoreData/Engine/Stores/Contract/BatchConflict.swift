import Foundation

/// A row of a batch insert has values that must be unique and are taken; the context makes Apple's error of it.
package struct BatchConflict: Error, @unchecked Sendable {  // thrown and caught by one thread, in one transaction
  package let constraint: UniquenessConstraint
  /// The row that has the values, as it was before.
  package let row: Snapshot
  /// Whether that one is the batch's own.
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
