import ArgumentParser
import CoreData
import Foundation
import WebStore

/// The objects of a service in a SQLite file, which the studio and the tool open.
enum StoreCopy {
  /// - Returns: how many objects of each entity there are in the file.
  /// - Throws: what opening either store throws; an error of the command for a file that is there already.
  static func make(of service: URL, model: NSManagedObjectModel, at file: URL) throws -> [(entity: String, count: Int)]
  {
    if FileManager.default.fileExists(atPath: file.path) {
      throw ValidationError("There is a file at \(file.path) already. Name a new one.")
    }
    WebIncrementalStore.register()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: WebIncrementalStore.type, configurationName: nil, at: service)
    let copy = try coordinator.migratePersistentStore(store, to: file, options: nil, withType: NSSQLiteStoreType)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let counts = try context.performAndWait {
      try model.entities.compactMap(\.name).sorted().map { name in
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        return (entity: name, count: try context.count(for: request))
      }
    }
    try coordinator.remove(copy)
    return counts
  }
}
