import Synchronization

/// A cache for the texts of statements, by purpose, so that each text is made only once.
final class PlanCache: Sendable {
  /// The purpose of a statement.
  enum Purpose: Hashable {
    case rowsByKey(Int, Int)
    case relation(RelationID, Bool)
    case everyRow(Int)
    case ownedRows(RelationID)
    case insert(Int)
    /// The second value is the set of columns as bits.
    case update(Int, UInt64)
    case delete(Int)
    case presence(Int)
    case versions(Int)
    case vacating(Int, [String])
    case ofMembers(RelationID, MembersUse)
    case ofOrder(RelationID, OrderUse)
    case history(HistoryUse)
    case historyDeletion(Int)
    /// The other values are the columns and the number of groups of values.
    case uniqueValues(Int, [String], Int)
  }

  /// What a statement does with the members of a to-many relationship.
  enum MembersUse: Hashable {
    case addition, removal, release, owner, adoption, withoutOwner
  }

  /// What a statement does with the sort keys of an ordered relationship's members.
  enum OrderUse: Hashable {
    case highest, members, sortKey, placing
  }

  /// What a statement writes or reads of history.
  enum HistoryUse: Hashable {
    case change, transaction, knownString, string
  }

  private let texts = Mutex<[Purpose: String]>([:])

  /// Returns the text for `purpose`; it is made at the first call.
  func text(_ purpose: Purpose, _ make: () throws -> SQLStatement) rethrows -> String {
    if let known = texts.withLock({ $0[purpose] }) { return known }
    let made = try make().text
    texts.withLock { $0[purpose] = made }
    return made
  }
}
