import Foundation

/// How a store records the history of one entity: the bit of each property that changes, and the column of each value that is
/// kept of deleted objects. It is computed once, when a store is opened or its history read.
package final class HistoryLayout: Sendable {
  package let entity: SQLEntity
  package let bitmaps: HistoryBitmapLayout
  /// The attributes that a tombstone preserves of a deleted object, sorted by name: tombstone column k holds the k-th.
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
