import Foundation

/// Reads the history of stores, or deletes its older part. Run it with ``NSManagedObjectContext/execute(_:)``, which
/// gives an ``NSPersistentHistoryResult``.
///
/// ```swift
/// try fetchEntry("Monday", in: context).rating = 5
/// try context.save()
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in (result?.result as? [NSPersistentHistoryTransaction] ?? []).suffix(1) {
///   for change in transaction.changes ?? [] {
///     print(change.changeType == .update, change.updatedProperties?.map(\.name) ?? [])  // true ["rating"]
///   }
/// }
/// ```
///
/// Stores write a history where they are opened with `NSPersistentHistoryTrackingKey`; where no store has one, running a
/// request throws 134091. For a token whose history was deleted since it throws 134301: begin anew with the present
/// contents of the store.
///
/// See also ``NSPersistentHistoryTransaction``, ``NSPersistentHistoryToken``.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest, ExecutableRequest {
  /// The part of the history that is asked for.
  package enum Range {
    case token(NSPersistentHistoryToken?)
    case transaction(NSPersistentHistoryTransaction)
    case date(Date)
  }

  package let range: Range
  package let isDeletion: Bool

  /// The kind of the result: transactions with their changes, unless it is set; for a deletion whether it succeeded, or
  /// how many transactions were deleted.
  public var resultType: NSPersistentHistoryResultType

  /// Filters, sorts and limits the transactions or changes: a request for
  /// `NSPersistentHistoryTransaction.entityDescription` or `NSPersistentHistoryChange.entityDescription`.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  private init(_ range: Range, isDeletion: Bool) {
    self.range = range
    self.isDeletion = isDeletion
    resultType = isDeletion ? .statusOnly : .transactionsAndChanges
    super.init()
  }

  /// The token that the request was made with, or the token of its transaction; nil for a request by date.
  public var token: NSPersistentHistoryToken? {
    switch range {
    case .token(let token): token
    case .transaction(let transaction): transaction.token
    case .date: nil
    }
  }

  /// A request for the changes that were saved after `date`, by the clock of the processes that saved them. A token is
  /// exact where a date is not.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.date(date), isDeletion: false)
  }

  /// A request for the history after a place; nil for all history that is kept. Use it in a reader that keeps the token
  /// of the last transaction that it has seen.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let seen = coordinator.currentPersistentHistoryToken(fromStores: nil)
  /// try fetchEntry("Monday", in: context).rating = 5
  /// try context.save()
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: seen)
  /// request.resultType = .changesOnly
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// print((result?.result as? [NSPersistentHistoryChange])?.count ?? 0)  // 1
  /// ```
  ///
  /// Executing it throws 134301 where the history after the token is not there any more.
  public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.token(token), isDeletion: false)
  }

  /// A request for the history after a transaction; nil for all history.
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.token(transaction?.token), isDeletion: false)
  }

  /// A request for the transactions or changes that a fetch request describes.
  ///
  /// The keys of a transaction are author, bundleID, contextName, processID, timestamp, token and transactionNumber;
  /// those of a change are changeID, changeType, changedEntity and changedObjectID.
  public class func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(.token(nil), isDeletion: false)
    request.fetchRequest = fetchRequest
    return request
  }

  /// A request that deletes the history before the first transaction that was saved at `date` or later, by the clocks of
  /// the processes that saved it: where a clock went back, later transactions with earlier times stay. A reader that still
  /// needs that part gets 134301 then, so keep as much as the slowest reader needs.
  ///
  /// ```swift
  /// let week: TimeInterval = 7 * 86_400
  /// let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date(timeIntervalSinceNow: -week))
  /// request.resultType = .count
  /// print((try context.execute(request) as? NSPersistentHistoryResult)?.result as? Int ?? -1)  // 0
  /// ```
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.date(date), isDeletion: true)
  }

  /// A request that deletes the history before the transaction that the token was taken after; nil deletes nothing. The
  /// token stays good.
  public class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.token(token), isDeletion: true)
  }

  /// A request that deletes the history before a transaction, which stays; nil deletes nothing.
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(transaction.map(Range.transaction) ?? .token(nil), isDeletion: true)
  }
}
