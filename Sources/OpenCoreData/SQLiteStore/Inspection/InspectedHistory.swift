import Foundation

/// A transaction of a store's history.
package struct InspectedTransaction {
  package let number: Int64
  /// The time of the transaction, in seconds since 2001.
  package let seconds: Double
  package let author: String?
  package let bundleID: String
  package let contextName: String?
  package let processID: String
  /// How many changes the transaction has; `changes` may hold fewer.
  package let changeCount: Int
  package let changes: [InspectedChange]

  package init(
    number: Int64, seconds: Double, author: String?, bundleID: String, contextName: String?, processID: String,
    changeCount: Int, changes: [InspectedChange]
  ) {
    (self.number, self.seconds, self.author, self.bundleID) = (number, seconds, author, bundleID)
    (self.contextName, self.processID) = (contextName, processID)
    (self.changeCount, self.changes) = (changeCount, changes)
  }
}

/// A change of one object in a transaction.
package struct InspectedChange {
  package let type: NSPersistentHistoryChangeType
  package let reference: InspectedReference
  /// The names of the properties that an update has changed, sorted; empty for other types.
  package let properties: [String]

  package init(type: NSPersistentHistoryChangeType, reference: InspectedReference, properties: [String]) {
    (self.type, self.reference, self.properties) = (type, reference, properties)
  }
}

/// The transactions of a history that are asked for, the latest first.
package struct InspectedHistoryRange {
  /// The largest number of transactions.
  package var limit: Int
  /// If set, only transactions before the one with this number; nil to begin with the latest.
  package var before: Int64?
  /// If set, only transactions that changed this object, and only their changes of it.
  package var object: InspectedReference?
  /// The largest number of changes that are read of each transaction.
  package var changeLimit: Int

  package init(limit: Int, before: Int64? = nil, object: InspectedReference? = nil, changeLimit: Int) {
    (self.limit, self.before, self.object, self.changeLimit) = (limit, before, object, changeLimit)
  }
}
