import Foundation

/// A row of a batch insert has values that must be unique and are taken; the context makes Apple's error of it.
struct BatchConflict: Error, @unchecked Sendable {  // thrown and caught by one thread, in one transaction
  let constraint: UniquenessConstraint
  /// The row that has the values, as it was before.
  let row: Snapshot
  /// Whether that one is the batch's own.
  let isNew: Bool
  let layout: EntityLayout
  /// The values that were to be written, by slot.
  let values: ContiguousArray<StoredValue>
}
