import CommandSupport
import CoreData
import Foundation

/// The objects of a store of another kind, in a SQLite store in a temporary folder, which can be looked into like any
/// other; it goes with this object.
///
/// The objects of a store in one file have other numbers there than in the file; those of a server's have the same.
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
