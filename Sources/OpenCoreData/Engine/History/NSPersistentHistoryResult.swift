import Foundation

/// The kinds of results of a request about history, for ``NSPersistentHistoryChangeRequest/resultType``.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether the request succeeded: a Boolean, which is true if no error was thrown.
  case statusOnly = 0
  /// The IDs of the objects that were changed, each once.
  case objectIDs = 1
  /// The number of changes; for a fetch of transactions, the number of transactions.
  case count = 2
  /// Transactions without their changes, which are not read: a transaction has its author and its date.
  case transactionsOnly = 3
  /// Changes alone, in their order, each with its transaction.
  case changesOnly = 4
  /// Transactions with their changes.
  case transactionsAndChanges = 5
}

/// The result of a request about history, to which ``NSManagedObjectContext/execute(_:)``'s result is cast.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// A Boolean or a count as NSNumber, or an array of IDs, transactions or changes, as the result type says.
  public let result: Any?
  /// The result type of the request, which tells the type of ``result``.
  public let resultType: NSPersistentHistoryResultType

  package init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
