import Foundation
import OpenCoreData

/// A save or batch request, as recorded in the history of a store.
public struct StoreTransaction: Sendable, Equatable {
  /// The number of the transaction in the store.
  public let number: Int64
  /// The time of the save, by the clock of the process that saved.
  public let date: Date
  /// The `transactionAuthor` of the context.
  public let author: String?
  /// The name of the context.
  public let contextName: String?
  /// The bundle of the program that saved; the executable's name if the program has no bundle.
  public let bundleID: String
  /// The process that saved.
  public let processID: String
  /// The number of the transaction's changes; `changes` may have fewer.
  public let changeCount: Int
  /// The changes, in order.
  public let changes: [StoreChange]

  init(_ transaction: InspectedTransaction) {
    number = transaction.number
    date = Date(timeIntervalSinceReferenceDate: transaction.seconds)
    (author, contextName) = (transaction.author, transaction.contextName)
    (bundleID, processID) = (transaction.bundleID, transaction.processID)
    changeCount = transaction.changeCount
    changes = transaction.changes.map(StoreChange.init)
  }
}

/// One object that a transaction has inserted, updated or deleted.
public struct StoreChange: Sendable, Equatable {
  /// The kind of a change.
  public enum Kind: String, Sendable, CaseIterable {
    /// The object was inserted.
    case insert
    /// The object's values were changed.
    case update
    /// The object was deleted.
    case delete
  }

  /// The kind of the change.
  public let kind: Kind
  /// The object, which may have been deleted since.
  public let object: ObjectReference
  /// The names of the properties that an update has changed, sorted.
  public let properties: [String]

  init(_ change: InspectedChange) {
    kind =
      switch change.type {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    object = ObjectReference(change.reference)
    properties = change.properties
  }
}
