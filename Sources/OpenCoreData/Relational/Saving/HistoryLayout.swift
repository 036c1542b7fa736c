import Foundation

/// The layout of one entity's history: the bit of each property that changes, and the column of each value that is kept
/// after its object is deleted. Computed once, when a store is opened or its history is read.
package final class HistoryLayout: Sendable {
  package let entity: SQLEntity
  package let bitmaps: HistoryBitmapLayout
  /// The attributes whose values a tombstone preserves, sorted by name: tombstone column k holds the k-th attribute.
  package let preserved: [SQLAttribute]

  package init(_ entity: SQLEntity) {
    self.entity = entity
    bitmaps = HistoryBitmapLayout(entity.entity)
    preserved = entity.columns.compactMap { column in
      guard case .attribute(let attribute) = column, attribute.attribute.preservesValueInHistoryOnDeletion else {
        return nil
      }
      return attribute
    }.sorted { $0.keyPath < $1.keyPath }
  }
}
