import CoreData

/// A persistent container for one test: in memory, or in a folder of its own that is deleted with this object.
///
/// <!-- test -->
/// ```swift
/// @Test func aBookHasNoAuthorYet() throws {
///   let container = try TestContainer.inMemory(Library.model)
///   let context = container.newBackgroundContext()
///   context.performAndWait { #expect(Book(context: context).author == nil) }
/// }
/// ```
public final class TestContainer {
  /// The container, whose store is open.
  public let container: NSPersistentContainer
  /// The folder of a store in a file; nil for one in memory.
  public let folder: URL?

  /// Creates a container with a SQLite store in memory, as with `/dev/null` on Apple's systems. Its statements and its
  /// behavior are those of a store in a file.
  /// - Throws: an error of opening the store.
  public static func inMemory(_ model: NSManagedObjectModel, name: String = "Test") throws -> TestContainer {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    return try TestContainer(model, name, description, folder: nil)
  }

  /// Creates a container with a SQLite store in a file, in a new folder of the temporary directory. The store is
  /// removed and the folder deleted when this object is released: keep the object as long as a context uses the store.
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - name: the name of the container, and of the file.
  ///   - configure: sets options before the store is opened.
  /// - Throws: an error of creating the folder or opening the store.
  public static func temporaryFile(
    _ model: NSManagedObjectModel, name: String = "Test", configure: (NSPersistentStoreDescription) -> Void = { _ in }
  ) throws -> TestContainer {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTesting-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
    configure(description)
    do {
      return try TestContainer(model, name, description, folder: folder)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  private init(
    _ model: NSManagedObjectModel, _ name: String, _ description: NSPersistentStoreDescription, folder: URL?
  ) throws {
    container = NSPersistentContainer(name: name, managedObjectModel: model)
    self.folder = folder
    description.shouldAddStoreAsynchronously = false
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 ?? failure }
    if let failure { throw failure }
  }

  deinit {
    // A store in memory is released with the last object that uses it.
    guard let folder else { return }
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The container's context of the main queue.
  public var viewContext: NSManagedObjectContext { container.viewContext }

  /// A new context with a queue of its own.
  public func newBackgroundContext() -> NSManagedObjectContext { container.newBackgroundContext() }

  /// The URL of the store.
  public var url: URL? { container.persistentStoreDescriptions.first?.url }
}
