import Foundation

/// The keys that a save has given out.
struct SaveKeys {
  /// For the inserted objects, in their order.
  var inserted: ContiguousArray<Int64> = []
  /// Empty where no object of the save has relationships.
  var byTemporary: [Int64: Int64] = [:]
  /// The time of the save, for attributes that derive from it.
  let now = Date().timeIntervalSinceReferenceDate
  /// Rows that were read again, by root entity and key.
  var derivedRows: [Int: [Int64: Snapshot]] = [:]
  /// The number of the save's transaction of history; nil for a store that keeps none.
  var transaction: Int64?
  /// Owners that have lost a member to another one.
  var formerOwners: [FormerOwner] = []

  @inline(__always)
  func permanent(_ key: Int64) -> Int64 { key > 0 ? key : byTemporary[key] ?? key }
}

extension SaveKeys {
  /// Takes out a row that was read again.
  mutating func takeRow(_ key: Int64, _ root: Int) -> Snapshot? {
    derivedRows.isEmpty ? nil : derivedRows[root]?.removeValue(forKey: key)
  }
}
