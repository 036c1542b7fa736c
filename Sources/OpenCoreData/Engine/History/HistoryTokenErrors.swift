import Foundation
import OpenCocoaFoundation

// Errors about tokens that are not of the stores that are asked: 134301, as for a token whose history is gone.
extension NSError {
  /// The error for a token that has a place in the history of none of the stores.
  static func tokenOfOtherStores(_ token: NSPersistentHistoryToken, not stores: [any HistoryStore]) -> NSError {
    let own = stores.map { "\($0.placeInErrors) (UUID \($0.identifier ?? "none"))" }.joined(separator: ", ")
    let others = token.places.keys.sorted()
    let owners =
      switch others.count {
      case 0: "no store"
      case 1: "another store (UUID \(others[0]))"
      default: "other stores (UUIDs \(others.joined(separator: ", ")))"
      }
    return NSError(
      coreData: NSPersistentHistoryTokenExpiredError, "The history token is of \(owners), not of \(own).",
      [NSFilePathErrorKey: stores.first?.placeInErrors ?? ""])
  }
}

extension NSPersistentStore {
  /// The place of the store, for errors.
  fileprivate final var placeInErrors: String { url?.placeOfStore ?? type }

  /// The error for a token of a copy of this store that is of another kind, or in another server: its places mean nothing
  /// here.
  package final var tokenOfCopyError: NSError {
    NSError(
      coreData: NSPersistentHistoryTokenExpiredError,
      "The history token is of another copy of the store at \(placeInErrors), of another kind or in another server.",
      [NSFilePathErrorKey: placeInErrors])
  }
}
