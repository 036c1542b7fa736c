/// The result of a save: the new keys and rows, in the order of the work's objects.
@_spi(Store) public struct SaveResult {
  package var commit: UInt64
  package var insertedKeys: ContiguousArray<Int64>
  package var insertedRows: ContiguousArray<Snapshot>
  package var updatedRows: ContiguousArray<Snapshot>
  /// Rows of other objects that triggers have changed.
  package var touchedRows: ContiguousArray<Snapshot> = []
  /// The place in history right after the save's transaction; nil for a store that keeps none.
  package var transaction: HistoryPlace?
  /// Owners that have lost a member to another owner.
  package var formerOwners: [FormerOwner] = []
}

/// An owner outside of a save that has lost a member of a relationship without inverse to an owner in the save.
package struct FormerOwner {
  package let key: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot

  package init(key: Int64, layout: EntityLayout, slot: PropertySlot) {
    (self.key, self.layout, self.slot) = (key, layout, slot)
  }
}
