import Foundation
import OpenCocoaFoundation

/// A model, a coordinator and a context on the main queue, set up in the usual way.
open class NSPersistentContainer: NSObject, @unchecked Sendable {  // set up before use, then only read
  /// The container's name, which names model and store file.
  open var name: String { storedName }
  /// The model.
  open var managedObjectModel: NSManagedObjectModel { storedModel }
  /// The coordinator of the container's stores.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { storedCoordinator }
  /// The context for the main queue.
  open var viewContext: NSManagedObjectContext { storedViewContext }
  /// The stores that `loadPersistentStores` opens: by default one SQLite file named after the container.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]

  private final let storedName: String
  private final let storedModel: NSManagedObjectModel
  private final var storedCoordinator: NSPersistentStoreCoordinator
  private final let storedViewContext: NSManagedObjectContext

  /// Makes a container whose model is found by its name: `name.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel` in the
  /// main bundle, in a resource bundle beside the executable, or where the build plugin left it. A model that is not there
  /// stops the program.
  ///
  /// Differs from Apple (D-CTR-01): a missing model stops the program instead of logging an error and going on with an
  /// empty one.
  public convenience init(name: String) {
    do {
      self.init(name: name, managedObjectModel: try ModelLocator.model(named: name))
    } catch {
      raise(.internalInconsistency, "Failed to load the model named \(name) (D-CTR-01): \(error.localizedDescription)")
    }
  }

  /// Makes a container for a model that the caller has.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    storedName = name
    storedModel = model
    storedCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    storedViewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    storedViewContext.persistentStoreCoordinator = storedCoordinator
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: Self.storeFolder().appendingPathComponent("\(name).sqlite"))
    ]
    super.init()
    let folder = type(of: self).defaultDirectoryURL()
    if folder != Self.storeFolder() {
      persistentStoreDescriptions = [
        NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
      ]
    }
  }

  /// Makes a container over a coordinator that has its stores already.
  convenience init(name: String, coordinator: NSPersistentStoreCoordinator) {
    self.init(name: name, managedObjectModel: coordinator.managedObjectModel)
    storedCoordinator = coordinator
    storedViewContext.persistentStoreCoordinator = coordinator
  }

  /// The folder for store files; it is made if it is not there.
  ///
  /// On Linux `$XDG_DATA_HOME` or `~/.local/share`, and in it a folder named after the executable.
  open class func defaultDirectoryURL() -> URL {
    let folder = storeFolder()
    // A folder that cannot be made shows when the store is opened, with its path.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return URL(fileURLWithPath: folder.path, isDirectory: true)
  }

  private static func storeFolder() -> URL {
    let base =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    let program = Bundle.main.executableURL?.lastPathComponent ?? "CoreData"
    return base.appendingPathComponent(program)
  }

  /// Opens the described stores that are not open yet, and calls the handler once for each.
  ///
  /// The folder of a store's file is made if it is not there, unless the store is for reading only.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      Self.makeFolder(of: description)
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  private static func makeFolder(of description: NSPersistentStoreDescription) {
    guard let url = description.url, url.isFileURL, !description.isReadOnly, description.type != NSInMemoryStoreType
    else { return }
    // A folder that cannot be made shows when the store is opened, with its path.
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// A new context on a private queue and on the container's coordinator. Callable from every thread.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` with a new private context, on its queue, later. Callable from every thread.
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs `block` with a new private context, on its queue, and gives its result. Callable from every thread.
  ///
  /// A task that is cancelled before the block has begun does not run it, as with `perform(schedule:_:)` of contexts.
  /// - Throws: what the block throws; CancellationError.
  public final func performBackgroundTask<Result, Failure: Error>(
    _ block: sending @escaping (NSManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    let context = newBackgroundContext()
    nonisolated(unsafe) let work = block
    return try await context.perform { () throws(Failure) -> Result in try work(context) }
  }
}
