/// A row that a transaction has changed, as the server reports it.
package struct ChangedRow: Hashable, Sendable {
  package let transaction: UInt64
  /// The number of the root entity.
  package let root: Int
  package let key: Int64

  package init(transaction: UInt64, root: Int, key: Int64) {
    (self.transaction, self.root, self.key) = (transaction, root, key)
  }
}

/// The changes that the server reports: those that a transaction sees and an earlier state does not.
package enum ToldChanges: Hashable, Sendable {
  case rows([ChangedRow])
  /// There are too many changes to report, or there is no record of them.
  case unknown
}

/// The parts of the row cache that are out of date.
package struct OutdatedParts: Hashable, Sendable {
  /// The keys of rows by the number of their root entity.
  package private(set) var rows: [Int: Set<Int64>] = [:]
  /// The relationships whose members in the cache are out of date for all owners.
  package private(set) var relations: Set<RelationID> = []

  package var isEmpty: Bool { rows.isEmpty }

  /// - Parameter relations: for each root entity, the relationships whose members may change when one of its rows changes.
  package init(_ changes: some Sequence<ChangedRow>, relations: [Int: [RelationID]]) {
    for change in changes { rows[change.root, default: []].insert(change.key) }
    for root in rows.keys { self.relations.formUnion(relations[root] ?? []) }
  }
}
