import Foundation
import OpenCocoaFoundation

extension AskedStore {
  /// Returns transactions of the history, the latest first; none if the store keeps no history.
  package func history(_ range: InspectedHistoryRange) throws -> [InspectedTransaction] {
    guard let historyStore = store as? any HistoryStore else { return [] }
    // A store that can keep a history keeps none unless it was asked to.
    let hasHistory = try inContext { context in
      try historyStore.hasHistory(context.reads.latest(on: historyStore))
    }
    guard hasHistory else { return [] }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    request.resultType = .transactionsAndChanges
    let transactions = try inContext { context -> [NSPersistentHistoryTransaction] in
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
    var found: [InspectedTransaction] = []
    for transaction in transactions.sorted(by: { $0.transactionNumber > $1.transactionNumber }) {
      if let before = range.before, transaction.transactionNumber >= before { continue }
      var changes = transaction.changes ?? []
      if let object = range.object { changes = changes.filter { Self.reference($0) == object } }
      if changes.isEmpty, range.object != nil { continue }
      found.append(
        InspectedTransaction(
          number: transaction.transactionNumber, seconds: transaction.timestamp.timeIntervalSinceReferenceDate,
          author: transaction.author, bundleID: transaction.bundleID, contextName: transaction.contextName,
          processID: transaction.processID, changeCount: changes.count,
          changes: changes.prefix(range.changeLimit).map { change in
            InspectedChange(
              type: change.changeType, reference: Self.reference(change),
              properties: change.updatedProperties?.map(\.name).sorted() ?? [])
          }))
      if range.limit > 0, found.count == range.limit { break }
    }
    return found
  }

  private static func reference(_ change: NSPersistentHistoryChange) -> InspectedReference {
    let id = change.changedObjectID
    return InspectedReference(entity: id.entity.name ?? "", key: id.key)
  }
}
