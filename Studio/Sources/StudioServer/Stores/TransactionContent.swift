import CommandSupport
import CoreDataTools
import Foundation

/// A transaction of a store's history.
struct TransactionContent: Sendable {
  struct Change: Sendable {
    let kind: String
    let object: String
    let link: String
    let properties: String
  }

  let number: Int64
  let date: String
  let author: String
  let context: String
  let process: String
  let count: String
  let changes: [Change]

  init(_ transaction: StoreTransaction, _ store: String) {
    number = transaction.number
    date = transaction.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    author = transaction.author ?? ""
    context = transaction.contextName ?? ""
    process = transaction.bundleID.isEmpty ? transaction.processID : transaction.bundleID
    count = FigureText.count(transaction.changeCount, "change")
    changes = transaction.changes.map { change in
      Change(
        kind: change.kind.rawValue, object: change.object.description,
        link: Link.object(store, change.object.description), properties: change.properties.joined(separator: ", "))
    }
  }
}
