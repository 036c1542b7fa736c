import CoreData
import Foundation

/// The stack for photos and sightings: the model, a store and a context.
final class AlbumStack {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }
  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// Opens a store, and makes it if it does not exist.
  /// - Parameters:
  ///   - tracksHistory: Whether the store keeps persistent history.
  ///   - change: Changes the entity of photos to make another version of the model; a store of the first version is migrated.
  init(
    url: URL, type: String = NSSQLiteStoreType, indexing: Indexing = .none, tracksHistory: Bool = false,
    change: (NSEntityDescription) -> Void = { _ in }
  ) throws {
    container = NSPersistentContainer(name: "Album", managedObjectModel: try Self.model(indexing, change))
    let description = NSPersistentStoreDescription(url: url)
    description.type = type
    if tracksHistory { description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Closes the store, so that its file can be moved or removed.
  func close() throws {
    context.reset()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private static func model(
    _ indexing: Indexing, _ change: (NSEntityDescription) -> Void
  ) throws -> NSManagedObjectModel {
    guard let url = Bundle.module.url(forResource: "Album", withExtension: "xcdatamodeld"),
      let model = NSManagedObjectModel(contentsOf: url), let photo = model.entitiesByName["Photo"]
    else { throw WorkloadError(description: "there is no model of photos") }
    photo.indexes = indexing.indexes.map { names in
      NSFetchIndexDescription(
        name: names.joined(),
        elements: names.compactMap { photo.attributesByName[$0] }
          .map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
    }
    change(photo)
    return model
  }
}
