import Foundation
import OpenCoreData

/// A save or batch request, as the history of a store tells of it.
public struct StoreTransaction: Sendable, Equatable {
  /// Its number in the store.
  public let number: Int64
  /// The time of the save, by the clock of the process that saved.
  public let date: Date
  /// The `transactionAuthor` of the context.
  public let author: String?
  /// The name of the context.
  public let contextName: String?
  /// The bundle that saved; the executable's name where there is none.
  public let bundleID: String
  /// The process that saved.
  public let processID: String
  /// How many changes it has; `changes` may have fewer.
  public let changeCount: Int
  /// What it changed, in its order.
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
  /// What was done to the object.
  public enum Kind: String, Sendable, CaseIterable {
    /// It was made.
    case insert
    /// Values of it were changed.
    case update
    /// It was deleted.
    case delete
  }

  /// What was done to the object.
  public let kind: Kind
  /// The object, which may be there no more.
  public let object: ObjectReference
  /// Of an update the names of the properties that it changed, sorted.
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
