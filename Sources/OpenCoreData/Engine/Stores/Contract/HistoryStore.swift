import Foundation

/// A store that may keep a persistent history.
package protocol HistoryStore: NSPersistentStore {
  /// Returns whether the store has a history now.
  func hasHistory(_ transaction: ReadTransaction) throws -> Bool

  /// Reads the history after a place, oldest transactions first.
  /// - Parameters:
  ///   - known: the place up to which the caller knows the history; nothing may be missing right after it.
  ///   - withChanges: whether the changes are read too.
  /// - Throws: 134301 if something is missing after `known`, or if the store's history does not reach `known`.
  func readHistory(
    after range: HistoryRange, known: HistoryPlace?, withChanges: Bool, _ transaction: ReadTransaction
  ) throws -> [HistoryRecord]

  /// Deletes the transactions before a place in history, and their changes.
  /// - Returns: the number of changes.
  func deleteHistory(before range: HistoryRange) throws -> Int

  /// Returns the place after all transactions; nil without a history.
  func latestHistoryPlace() throws -> HistoryPlace?

  /// The error for a token whose history does not exist any more.
  var historyExpiredError: NSError { get }
}
