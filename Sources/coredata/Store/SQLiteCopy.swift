import CoreData
import Foundation

/// The objects of a store in one file, in a SQLite store in a temporary folder, which can be looked into like any other;
/// it goes with this object.
///
/// The objects have other numbers there than in the file.
final class SQLiteCopy {
  private let place: Rehearsal

  /// - Throws: a ``ToolError`` if the store cannot be read.
  init(of url: URL, _ kind: StoreKind, model: NSManagedObjectModel) throws {
    place = try Rehearsal(of: nil)
    let metadata = try kind.metadata(url)
    let configuration = ([nil] + model.configurations).first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      let store = try coordinator.addPersistentStore(
        ofType: kind.type, configurationName: configuration ?? nil, at: url,
        options: [NSReadOnlyPersistentStoreOption: true])
      try coordinator.remove(coordinator.migratePersistentStore(store, to: place.url, withType: NSSQLiteStoreType))
    } catch {
      throw ToolError(StoreInput.text(of: error))
    }
  }

  var url: URL { place.url }
}
