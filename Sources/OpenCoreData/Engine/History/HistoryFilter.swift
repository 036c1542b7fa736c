import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// A fetch request for history, prepared to be applied to the transactions of one store.
package struct HistoryFilter {
  /// Whether the request is for changes; otherwise it is for transactions.
  package let isForChanges: Bool
  private let predicate: NSPredicate?
  private let order: [NSSortDescriptor]
  private let offset: Int
  private let limit: Int

  /// - Throws: 134060 for another entity, or for a key that transactions or changes do not have.
  package init(_ request: any AnyFetchRequest, storeID: String) throws {
    let name = (request.entity?.name ?? request.entityName ?? "").uppercased()
    guard let entity = [HistoryDescriptions.transaction, HistoryDescriptions.change].first(where: { $0.name == name })
    else {
      throw NSError(
        coreData: NSCoreDataError,
        "History is fetched by NSPersistentHistoryTransaction.entityDescription or "
          + "NSPersistentHistoryChange.entityDescription, not by the entity '\(request.entityName ?? "")'.")
    }
    isForChanges = entity === HistoryDescriptions.change
    let keys = HistoryKeys(entity: entity, storeID: storeID)
    predicate = try request.predicate.map(keys.prepared)
    order = request.sortDescriptors ?? []
    for descriptor in order { try descriptor.key.map(keys.check) }
    offset = request.fetchOffset
    limit = request.fetchLimit
  }

  /// The transactions that match, in order.
  /// - Throws: 134060 for a predicate or a sort descriptor that cannot be evaluated for one of them.
  package func transactions(_ records: [HistoryRecord]) throws -> [HistoryRecord] {
    try page(records) { record in
      var row: [String: Any] = [
        "bundleID": record.bundleID, "processID": record.processID, "timestamp": record.timestamp,
        "token": NSNumber(value: record.number), "transactionNumber": NSNumber(value: record.number),
      ]
      row["author"] = record.author
      row["contextName"] = record.contextName
      return row
    }
  }

  /// The changes that match, in order, each with its transaction.
  /// - Throws: 134060 for a predicate or a sort descriptor that cannot be evaluated for one of them.
  package func changes(_ records: [HistoryRecord]) throws -> [(record: HistoryRecord, change: HistoryChangeRecord)] {
    try page(records.flatMap { record in (record.changes ?? []).map { (record, $0) } }) { _, change in
      [
        "changeID": NSNumber(value: change.id), "changeType": NSNumber(value: change.type.rawValue),
        "changedEntity": change.objectID.entity, "changedObjectID": change.objectID,
      ]
    }
  }

  private func page<Element>(_ elements: [Element], _ values: (Element) -> [String: Any]) throws -> [Element] {
    var rows = elements.enumerated().map { HistoryRow(place: $0, values($1)) }
    try SQLLoweringError.evaluating(predicate) {
      if let predicate { rows = try rows.filter { try predicate.holds(for: $0) } }
      if !order.isEmpty { rows = try rows.checkedSorted(by: order) }
    }
    return window(rows.map { elements[$0.place] })
  }

  private func window<Element>(_ elements: [Element]) -> [Element] {
    let rest = elements.dropFirst(max(offset, 0))
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}
