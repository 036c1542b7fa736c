import Foundation

/// How a store keeps history of one entity: the bit of each property that changes, and the column of each value that
/// outlives its object. Computed once, when a store is opened or its history read.
final class HistoryLayout: Sendable {
  let entity: SQLEntity
  let bitmaps: HistoryBitmapLayout
  /// The attributes that a tombstone preserves of a deleted object, sorted by name: tombstone column k holds the k-th.
  let preserved: [SQLAttribute]

  init(_ entity: SQLEntity) {
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
