import CommandSupport
import Foundation
import OpenCoreData

/// How a store is opened to be changed beside the programs that it belongs to: by the copy of its model, in its own journal
/// mode, and with a history if it keeps one. So these programs find nothing changed but the objects.
package struct WritingOptions {
  /// The given model, or the copy that the store keeps.
  package let model: NSManagedObjectModel
  /// Whether the store keeps a history. Each save then adds a transaction to the history.
  package let hasHistory: Bool
  /// The options for `addPersistentStore`.
  package let options: [AnyHashable: Any]

  /// - Parameters:
  ///   - timeout: The number of seconds to wait for others that have the store locked, now and with each save.
  ///   - warning: Called with the names of missing files of values.
  /// - Throws: a `ToolError` if the store cannot be read, or there is no model for it.
  package init(
    _ access: StoreAccess, _ kind: StoreKind, timeout: TimeInterval, warning: ([String]) -> Void = { _ in }
  ) throws {
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)]
    if kind.isSQLite {
      let (stored, hasHistory, mode) = try access.read(warning: warning) {
        ($0.model, $0.hasHistory, try $0.journalMode())
      }
      guard let stored else { throw ToolError("The store \(access.url.shown) has no model.") }
      (model, self.hasHistory) = (stored, hasHistory)
      options[NSSQLitePragmasOption] = ["journal_mode": mode]
    } else {
      model = try access.required(kind)
      hasHistory = try kind == .postgreSQL && Self.keepsHistory(access.url, kind, model)
    }
    if hasHistory { options[NSPersistentHistoryTrackingKey] = NSNumber(value: true) }
    self.options = options
  }

  /// Returns whether a store in a server has a history.
  private static func keepsHistory(_ url: URL, _ kind: StoreKind, _ model: NSManagedObjectModel) throws -> Bool {
    let reading = try kind.coordinator(of: url, model: model)
    defer { for store in reading.persistentStores { try? reading.remove(store) } }
    return reading.currentPersistentHistoryToken(fromStores: reading.persistentStores) != nil
  }
}
