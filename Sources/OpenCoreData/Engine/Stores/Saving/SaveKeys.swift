import Foundation

/// The keys that a save has given out.
package struct SaveKeys {
  /// The keys of the inserted objects, in the order of these.
  package var inserted: ContiguousArray<Int64> = []
  /// The permanent keys by temporary key; empty if no object of the save has relationships.
  package var byTemporary: [Int64: Int64] = [:]
  /// The time of the save, for attributes that derive from it.
  package let now = Date().timeIntervalSinceReferenceDate
  /// Rows that were read again, by root entity and key.
  package var derivedRows: [Int: [Int64: Snapshot]] = [:]
  /// The place in history right after the save's transaction; nil for a store that keeps none.
  package var transaction: HistoryPlace?
  /// Owners that have lost a member to another owner.
  package var formerOwners: [FormerOwner] = []

  package init() {}

  @inline(__always)
  package func permanent(_ key: Int64) -> Int64 { key > 0 ? key : byTemporary[key] ?? key }
}

extension SaveKeys {
  /// Removes and returns a row that was read again.
  package mutating func takeRow(_ key: Int64, _ root: Int) -> Snapshot? {
    derivedRows.isEmpty ? nil : derivedRows[root]?.removeValue(forKey: key)
  }
}
