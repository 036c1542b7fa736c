import Foundation
import OpenCocoaFoundation

/// A model, a coordinator and a context on the main queue, set up in the usual way. Make one container for the whole
/// program, load its stores once, and take contexts from it.
///
/// Making a container opens no store: ``loadPersistentStores(completionHandler:)`` does. Before that call, fetches find
/// nothing and saves fail.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
/// container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
/// container.loadPersistentStores { _, error in
///   if let error { fatalError("\(error)") }
/// }
/// Entry(context: container.viewContext).title = "The first one"
/// try container.viewContext.save()
/// ```
///
/// A program in which nothing serves the main queue, such as most servers, does not use ``viewContext``, but
/// ``performBackgroundTask(_:)->_`` everywhere.
///
/// OpenCoreData has no NSPersistentCloudKitContainer (D-MIS-01).
///
/// See also ``NSPersistentStoreDescription``, ``NSManagedObjectContext``.
open class NSPersistentContainer: NSObject, @unchecked Sendable {  // set up before use, then only read
  /// The container's name. The store's file has this name, and so has the model, if the container looked for it.
  open var name: String { storedName }
  /// The model that the container was made with. It cannot be changed once the container has been made; reading it is
  /// safe on every thread.
  ///
  /// ```swift
  /// print(container.managedObjectModel.entities.compactMap(\.name))  // ["Entry", "Page", "Tag"]
  /// ```
  ///
  /// Give this same model to another container over the same file, for example in a test: two models that were read
  /// from one file make `entity()` of a class ambiguous (D-OBJ-05).
  ///
  /// See also ``NSPersistentStoreCoordinator/managedObjectModel``.
  open var managedObjectModel: NSManagedObjectModel { storedModel }
  /// The coordinator of the container's stores, for the operations that contexts do not have: to add, copy, migrate and
  /// destroy stores, and to get object IDs from URIs.
  ///
  /// ```swift
  /// let stores = container.persistentStoreCoordinator.persistentStores
  /// print(stores.map { $0.url?.lastPathComponent ?? "" })  // ["Diary.sqlite"]
  /// ```
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { storedCoordinator }
  /// The context for the main queue: use it directly on the main thread, and by `perform` from elsewhere.
  ///
  /// Use it for what is shown. It reads on the main thread, so give its fetches a limit or a batch size, and leave
  /// imports to ``performBackgroundTask(_:)->_``. It shows the saves of such tasks only if
  /// ``NSManagedObjectContext/automaticallyMergesChangesFromParent`` is on; it is off at first.
  ///
  /// ```swift
  /// let view = container.viewContext
  /// view.automaticallyMergesChangesFromParent = true
  /// view.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// print(try view.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// ```
  ///
  /// Differs from Apple (D-CON-02): a program on Linux may have nothing that serves the main queue. Blocks for this
  /// context then never run, and a line on the standard error says so after 3 seconds. `await`, a run loop or
  /// `dispatchMain()` serve the queue.
  ///
  /// See also ``newBackgroundContext()``.
  open var viewContext: NSManagedObjectContext { storedViewContext }
  /// The stores that ``loadPersistentStores(completionHandler:)`` opens: by default one SQLite file named after the
  /// container, in ``defaultDirectoryURL()``.
  ///
  /// Change the options of the first description, or replace the descriptions, before the stores are loaded; later
  /// changes count for the next call. Several descriptions, each with a configuration of the model, spread the entities
  /// over several files.
  ///
  /// ```swift
  /// let container = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("second.sqlite"))
  /// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// container.persistentStoreDescriptions = [description]
  /// container.loadPersistentStores { description, error in
  ///   print(description.url?.lastPathComponent ?? "", error == nil)  // second.sqlite true
  /// }
  /// ```
  ///
  /// See also ``NSPersistentStoreDescription``.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]

  private final let storedName: String
  private final let storedModel: NSManagedObjectModel
  private final var storedCoordinator: NSPersistentStoreCoordinator
  private final let storedViewContext: NSManagedObjectContext

  /// Makes a container whose model is found by its name: `name.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel` in the
  /// main bundle, in a resource bundle beside the executable, or where the build plugin left it. If the model is not
  /// found, the program stops with a message that says where it looked.
  ///
  /// The model of another module of the package is found, too. In tests and libraries, or if several models have one
  /// name, pass the model yourself: ``init(name:managedObjectModel:)``.
  ///
  /// ```swift
  /// let container = NSPersistentContainer(name: "Diary")
  /// print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "")  // Diary.sqlite
  /// ```
  ///
  /// Differs from Apple (D-CTR-01): a missing model stops the program; Apple's framework logs an error and continues
  /// with an empty model. The model is looked for in the main bundle and in resource bundles beside the executable
  /// (D-CTR-04).
  /// - Parameter name: the name of the model's file without its extension, and of the store's file.
  public convenience init(name: String) {
    do {
      self.init(name: name, managedObjectModel: try ModelLocator.model(named: name))
    } catch {
      raise(.internalInconsistency, "Failed to load the model named \(name) (D-CTR-01): \(error.localizedDescription)")
    }
  }

  /// Makes a container for a model that the caller has: read from a certain bundle, built in code, or shared with
  /// another container. Nothing is opened yet.
  ///
  /// ```swift
  /// let entry = NSEntityDescription()
  /// entry.name = "Note"
  /// let text = NSAttributeDescription()
  /// text.name = "text"
  /// text.attributeType = .stringAttributeType
  /// entry.properties = [text]
  /// let model = NSManagedObjectModel()
  /// model.entities = [entry]
  /// let notes = NSPersistentContainer(name: "Notes", managedObjectModel: model)
  /// print(notes.viewContext.persistentStoreCoordinator === notes.persistentStoreCoordinator)  // true
  /// ```
  /// - Parameters:
  ///   - name: the name of the store's file, `name.sqlite`.
  ///   - model: the model, which cannot be changed any more. A model that contradicts itself stops the program.
  ///
  /// See also ``init(name:)``, ``NSManagedObjectModel/init(contentsOf:)``.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    storedName = name
    storedModel = model
    storedCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    storedViewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    storedViewContext.persistentStoreCoordinator = storedCoordinator
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: DefaultStoreFolder.url.appendingPathComponent("\(name).sqlite"))
    ]
    super.init()
    let folder = type(of: self).defaultDirectoryURL()
    if folder != DefaultStoreFolder.url {
      persistentStoreDescriptions = [
        NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
      ]
    }
  }

  /// Makes a container over a coordinator that already has its stores.
  convenience init(name: String, coordinator: NSPersistentStoreCoordinator) {
    self.init(name: name, managedObjectModel: coordinator.managedObjectModel)
    storedCoordinator = coordinator
    storedViewContext.persistentStoreCoordinator = coordinator
  }

  /// Returns the folder for store files, and makes it if it does not exist. On Linux it is a folder named after the
  /// executable, in `$XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// A subclass that overrides it moves the files of its containers. A service without a home directory gives its
  /// descriptions URLs instead.
  ///
  /// ```swift
  /// final class DiaryContainer: NSPersistentContainer, @unchecked Sendable {
  ///   override class func defaultDirectoryURL() -> URL {
  ///     FileManager.default.temporaryDirectory.appendingPathComponent("diaries", isDirectory: true)
  ///   }
  /// }
  ///
  /// let diaries = DiaryContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// print(diaries.persistentStoreDescriptions[0].url?.pathComponents.suffix(2) ?? [])  // ["diaries", "Diary.sqlite"]
  /// ```
  ///
  /// Differs from Apple (D-CTR-02, D-CTR-03): the folder is another one, and there is only this method, no property.
  open class func defaultDirectoryURL() -> URL {
    let folder = DefaultStoreFolder.url
    // If the folder cannot be made, opening the store fails with an error that has the path.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return URL(fileURLWithPath: folder.path, isDirectory: true)
  }

  /// Opens the described stores, or creates them, and calls the handler once for each. Before that, fetches find
  /// nothing.
  ///
  /// Stores are opened one after the other, on the calling thread, so the handler has been called when this returns,
  /// unless a description says ``NSPersistentStoreDescription/shouldAddStoreAsynchronously``. A store of an older
  /// version of the model is migrated first, which may take long. A store that cannot be opened does not keep the
  /// others from being opened.
  ///
  /// ```swift
  /// let missing = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("nothing.sqlite"))
  /// description.isReadOnly = true
  /// missing.persistentStoreDescriptions = [description]
  /// missing.loadPersistentStores { description, error in
  ///   print(description.url?.lastPathComponent ?? "", (error as NSError?)?.code ?? 0)  // nothing.sqlite 260
  /// }
  /// ```
  ///
  /// The folder of a store's file is made if it does not exist, unless the store is for reading only. A further call
  /// tries again to open the stores that failed, and is an error (134080) for the stores that are open.
  /// - Parameter block: gets the description and nil, or the error: 260 if a store for reading does not exist, 259 for
  ///   a file that is no store, 513 if the store cannot be written, 134100 for another version of the model that is not
  ///   to be migrated, 134110 to 134190 for a migration that failed, 134090 for a store that stays locked. The store's
  ///   file is then as it was.
  ///
  /// See also ``NSPersistentStoreCoordinator/addPersistentStore(ofType:configurationName:at:options:)``.
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
    // If the folder cannot be made, opening the store fails with an error that has the path.
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Returns a new context with a private queue and the container's coordinator, for work that takes several blocks,
  /// such as an import or the worker of a service. Callable from every thread. The context uses no connection and no
  /// thread until it reads.
  ///
  /// Set its name, author and merge policy before its first block; do everything else inside `perform`. For one block,
  /// ``performBackgroundTask(_:)->_`` is shorter.
  ///
  /// ```swift
  /// let worker = container.newBackgroundContext()
  /// worker.name = "worker"
  /// worker.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let count = try await worker.perform { try worker.count(for: NSFetchRequest<Entry>(entityName: "Entry")) }
  /// print(count)  // 3
  /// ```
  ///
  /// A subclass that overrides it sets up every background context of the program, including those of
  /// `performBackgroundTask`.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` later, with a new private context and on that context's queue, and returns at once. Callable from
  /// every thread.
  ///
  /// The block cannot throw and returns nothing; the asynchronous method of this name allows both. Changes that the
  /// block does not save are lost with the context.
  ///
  /// ```swift
  /// await withCheckedContinuation { continuation in
  ///   container.performBackgroundTask { context in
  ///     Entry(context: context).title = "Thursday"
  ///     do { try context.save() } catch { print(error) }
  ///     continuation.resume()
  ///   }
  /// }
  /// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 4
  /// ```
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs `block` with a new private context, on that context's queue, and returns the block's result. Callable from
  /// every thread. The context and its unsaved changes are gone when the block ends: save inside the block.
  ///
  /// This is the shortest way to work off the main thread, for example for a request of a server or an import. The
  /// blocks of several calls run at the same time, each in its own context; their saves run one after another, because
  /// only one connection writes.
  ///
  /// ```swift
  /// let words = try await container.performBackgroundTask { context in
  ///   let request = NSFetchRequest<Entry>(entityName: "Entry")
  ///   return try context.fetch(request).reduce(0) { $0 + Int($1.words) }
  /// }
  /// print(words)  // 400
  /// ```
  ///
  /// Return values and IDs, not objects: their context is gone when the block ends (D-OBJ-04). A task that is cancelled
  /// before the block has begun does not run it, as with `perform(schedule:_:)` of contexts.
  /// - Parameter block: gets the context.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block; CancellationError.
  ///
  /// See also ``newBackgroundContext()``.
  public final func performBackgroundTask<Result, Failure: Error>(
    _ block: sending @escaping (NSManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    let context = newBackgroundContext()
    nonisolated(unsafe) let work = block
    return try await context.perform { () throws(Failure) -> Result in try work(context) }
  }
}
