import CoreData
import Foundation

/// The example's model, store and context.
public final class PerformanceStack {
  /// The container, opened on one store.
  public let container: NSPersistentContainer

  /// The context that tests run in.
  public var context: NSManagedObjectContext { container.viewContext }

  /// Opens a store, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - url: The place of the SQLite file, or of a store of another type.
  ///   - type: The type of the store.
  /// - Throws: The errors of opening the store, such as code 134100 for a store that was made with another model.
  public init(url: URL, type: String = NSSQLiteStoreType) throws {
    container = NSPersistentContainer(name: "PerformanceTuning", managedObjectModel: try Self.model())
    let description = NSPersistentStoreDescription(url: url)
    description.type = type
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Returns the number of objects of each entity in the store.
  ///
  /// - Throws: The errors of `count(for:)`.
  public func loadedSize() throws -> SampleSize {
    SampleSize(
      people: try context.count(for: Person.fetchRequest() as NSFetchRequest<Person>),
      selfies: try context.count(for: Selfie.fetchRequest() as NSFetchRequest<Selfie>),
      networks: try context.count(for: SocialNetwork.fetchRequest() as NSFetchRequest<SocialNetwork>))
  }

  /// Closes the store, so that its file can be moved or removed.
  public func close() throws {
    context.reset()
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private static func model() throws -> NSManagedObjectModel {
    guard let url = Bundle.module.url(forResource: "PerformanceTuning", withExtension: "xcdatamodeld"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: "PerformanceTuning.xcdatamodeld"]) }
    return model
  }
}
