import Foundation

/// A transaction of a store's history.
package struct InspectedTransaction {
  package let number: Int64
  /// Seconds since 2001.
  package let seconds: Double
  package let author: String?
  package let bundleID: String
  package let contextName: String?
  package let processID: String
  /// How many changes it has; fewer may be in `changes`.
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
  /// Of an update the names of the properties that were changed, sorted.
  package let properties: [String]

  package init(type: NSPersistentHistoryChangeType, reference: InspectedReference, properties: [String]) {
    (self.type, self.reference, self.properties) = (type, reference, properties)
  }
}

/// Which transactions of a history are asked for, the latest first.
package struct InspectedHistoryRange {
  /// The largest number of transactions.
  package var limit: Int
  /// Those before the transaction of this number alone; nil from the latest.
  package var before: Int64?
  /// Those that changed this object alone, with these changes of theirs alone.
  package var object: InspectedReference?
  /// How many changes of a transaction are read at most.
  package var changeLimit: Int

  package init(limit: Int, before: Int64? = nil, object: InspectedReference? = nil, changeLimit: Int) {
    (self.limit, self.before, self.object, self.changeLimit) = (limit, before, object, changeLimit)
  }
}
