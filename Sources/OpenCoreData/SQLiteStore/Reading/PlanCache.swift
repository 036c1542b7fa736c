import Synchronization

/// Texts of statements, kept by what they are for, so that they are put together once.
final class PlanCache: Sendable {
  /// What a statement is for.
  enum Purpose: Hashable {
    case rowsByKey(Int, Int)
    case relation(RelationID, Bool)
    case everyRow(Int)
    case ownedRows(RelationID)
    case insert(Int)
    /// The columns as a bit set.
    case update(Int, UInt64)
    case delete(Int)
    case historyDeletion(Int)
    case versions(Int)
    /// The columns and how many groups of values.
    case uniqueValues(Int, [String], Int)
  }

  private let texts = Mutex<[Purpose: String]>([:])

  /// The text for `purpose`, made at the first call.
  func text(_ purpose: Purpose, _ make: () -> String) -> String {
    if let known = texts.withLock({ $0[purpose] }) { return known }
    let made = make()
    texts.withLock { $0[purpose] = made }
    return made
  }
}
