/// The result of a save: the new keys and rows, in the order of the work's objects.
@_spi(Store) public struct SaveResult {
  var commit: UInt64
  var insertedKeys: ContiguousArray<Int64>
  var insertedRows: ContiguousArray<Snapshot>
  var updatedRows: ContiguousArray<Snapshot>
  /// Rows of other objects that triggers have changed.
  var touchedRows: ContiguousArray<Snapshot> = []
  /// The number of the save's transaction of history; nil for a store that keeps none.
  var transaction: Int64?
  /// Owners that have lost a member to another one.
  var formerOwners: [FormerOwner] = []
}

/// An owner that is not part of a save, and that has lost a member of a relationship without inverse to one that is.
struct FormerOwner {
  let key: Int64
  let layout: EntityLayout
  let slot: PropertySlot
}
