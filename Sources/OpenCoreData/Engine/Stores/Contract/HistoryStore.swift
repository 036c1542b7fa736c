import Foundation

/// A store that may keep a persistent history.
package protocol HistoryStore: NSPersistentStore {
  /// Whether the store has a history now.
  func hasHistory(_ transaction: ReadTransaction) throws -> Bool

  /// Returns the transactions after a place, oldest first.
  /// - Parameters:
  ///   - known: the place up to which the caller knows the history; no transaction may be missing right after it.
  ///   - withChanges: whether the changes are read too.
  /// - Throws: 134301 if a transaction is missing after `known`, or if the store has never come as far.
  func readHistory(
    after range: HistoryRange, known: HistoryPlace?, withChanges: Bool, _ transaction: ReadTransaction
  ) throws -> [HistoryRecord]

  /// Deletes the transactions before a place in history, and their changes.
  /// - Returns: how many changes there were.
  func deleteHistory(before range: HistoryRange) throws -> Int

  /// The place after all transactions; nil without a history.
  func latestHistoryPlace() throws -> HistoryPlace?

  /// The error for a token whose history is not there any more.
  var historyExpiredError: NSError { get }
}
