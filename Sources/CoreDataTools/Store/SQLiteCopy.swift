import CommandSupport
import CoreData
import Foundation

/// A SQLite store in a temporary folder, with the objects of a store of another kind, so that it can be read like any other
/// SQLite store. It is deleted together with this object.
///
/// Objects of a store in one file have other numbers in the copy; objects of a store in a server have the same numbers.
package final class SQLiteCopy {
  private let place: Rehearsal

  /// - Throws: a ``ToolError`` if the store cannot be read.
  package init(of url: URL, _ kind: StoreKind, model: NSManagedObjectModel) throws {
    place = try Rehearsal(of: nil)
    let coordinator = try kind.coordinator(of: url, model: model)
    do {
      for store in coordinator.persistentStores {
        try coordinator.remove(coordinator.migratePersistentStore(store, to: place.url, withType: NSSQLiteStoreType))
      }
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
  }

  package var url: URL { place.url }
}
