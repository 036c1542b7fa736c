import Foundation
import OpenCocoaFoundation

extension NSPersistentHistoryChangeRequest {
  package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try HistoryRun(context: context).run(self)
  }
}

/// One request for the history of a context's stores, on its queue.
private struct HistoryRun {
  let context: NSManagedObjectContext

  /// Reads or deletes history in every store that has one.
  /// - Throws: 134091 when no store has a history; 134301 when the history after the token is not there any more; 134060
  ///   for a fetch request that does not fit; the stores' errors.
  func run(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentStoreResult {
    let all = try context.requiredCoordinator().persistentStores.filter { $0.can(.history) }
      .compactMap { $0 as? any HistoryStore }
    let stores = try all.filter { store in
      guard request.affectedStores?.contains(where: { $0 === store }) ?? true else { return false }
      return try store.hasHistory(context.reads.latest(on: store))
    }
    guard !stores.isEmpty else {
      throw NSError(
        coreData: NSPersistentStoreUnsupportedRequestTypeError,
        "None of the stores has a persistent history: it is tracked where NSPersistentHistoryTrackingKey is set.")
    }
    if request.isDeletion { return try delete(request, in: stores) }
    if let token = request.token, !stores.contains(where: { token.places[$0.identifier] != nil }) {
      throw NSError.tokenOfOtherStores(token, not: stores)
    }
    var found = FoundHistory()
    for store in stores {
      let filter = try request.fetchRequest.map { try HistoryFilter($0, storeID: store.identifier) }
      let known = request.token?.places[store.identifier]
      let range = if case .date(let date) = request.range { HistoryRange.date(date) } else { HistoryRange(known) }
      let withChanges = request.resultType != .transactionsOnly || filter?.isForChanges == true
      let records = try store.readHistory(
        after: range, known: known, withChanges: withChanges, context.reads.latest(on: store))
      try found.add(records, filter)
    }
    return NSPersistentHistoryResult(found.result(request.resultType), request.resultType)
  }

  private func delete(
    _ request: NSPersistentHistoryChangeRequest, in stores: [any HistoryStore]
  ) throws -> NSPersistentHistoryResult {
    context.reads.end()
    var count = 0
    for store in stores {
      switch request.range {
      case .date(let date): count += try store.deleteHistory(before: .date(date))
      case .token(let token):
        guard let place = token?.places[store.identifier] else { continue }
        count += try store.deleteHistory(before: HistoryRange(place))
      case .transaction(let transaction):
        guard transaction.storeID == store.identifier else { continue }
        count += try store.deleteHistory(before: .number(transaction.transactionNumber))
      }
    }
    let result = request.resultType == .count ? NSNumber(value: count) : NSNumber(value: true)
    return NSPersistentHistoryResult(result, request.resultType)
  }
}

/// The history found in all stores, in the forms that a request may ask for.
private struct FoundHistory {
  private var transactions: [HistoryRecord] = []
  private var changes: [(record: HistoryRecord, change: HistoryChangeRecord)] = []
  private var countsTransactions = false

  mutating func add(_ records: [HistoryRecord], _ filter: HistoryFilter?) throws {
    guard let filter, filter.isForChanges else {
      countsTransactions = filter != nil
      let matching = try filter?.transactions(records) ?? records
      transactions += matching
      changes += matching.flatMap { record in (record.changes ?? []).map { (record, $0) } }
      return
    }
    let matching = try filter.changes(records)
    changes += matching
    // The transactions of the matching changes, each with its matching changes only.
    let byNumber = Dictionary(grouping: matching) { $0.record.number }
    transactions += records.compactMap { record in
      byNumber[record.number].map { matching in record.with(matching.map(\.change)) }
    }
  }

  func result(_ type: NSPersistentHistoryResultType) -> Any {
    switch type {
    case .statusOnly: return NSNumber(value: true)
    case .count: return NSNumber(value: countsTransactions ? transactions.count : changes.count)
    case .objectIDs:
      var seen: Set<NSManagedObjectID> = []
      return changes.map(\.change.objectID).filter { seen.insert($0).inserted }
    case .changesOnly: return changes.map { NSPersistentHistoryChange($0.change, of: $0.record) }
    case .transactionsOnly: return transactions.map { NSPersistentHistoryTransaction($0.with(nil)) }
    case .transactionsAndChanges: return transactions.map { NSPersistentHistoryTransaction($0) }
    }
  }
}
