import Foundation
import OpenCocoaFoundation

/// A model, a coordinator and a context on the main queue, set up in the usual way. Make one for the whole program,
/// load its stores once, and take contexts from it.
///
/// Making it opens nothing: that is done by ``loadPersistentStores(completionHandler:)``, before which fetches find
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
/// A program without a main queue that is served, as most servers, leaves ``viewContext`` alone and uses
/// ``performBackgroundTask(_:)->_`` throughout.
///
/// There is no NSPersistentCloudKitContainer here (D-MIS-01).
///
/// See also ``NSPersistentStoreDescription``, ``NSManagedObjectContext``.
open class NSPersistentContainer: NSObject, @unchecked Sendable {  // set up before use, then only read
  /// The container's name, after which the model was looked for, and the store's file is called.
  open var name: String { storedName }
  /// The model that the container was made with. From the moment that the container was made it cannot be changed;
  /// reading it is safe on every thread.
  ///
  /// ```swift
  /// print(container.managedObjectModel.entities.compactMap(\.name))  // ["Entry", "Page", "Tag"]
  /// ```
  ///
  /// Another container over the same file, in a test for example, is best given this very model: two models that were
  /// read from one file make `entity()` of a class ambiguous (D-OBJ-05).
  ///
  /// See also ``NSPersistentStoreCoordinator/managedObjectModel``.
  open var managedObjectModel: NSManagedObjectModel { storedModel }
  /// The coordinator of the container's stores, for what no context does: stores added, copied, migrated and destroyed,
  /// IDs of URIs.
  ///
  /// ```swift
  /// let stores = container.persistentStoreCoordinator.persistentStores
  /// print(stores.map { $0.url?.lastPathComponent ?? "" })  // ["Diary.sqlite"]
  /// ```
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { storedCoordinator }
  /// The context for the main queue: use it directly on the main thread, and by `perform` from elsewhere.
  ///
  /// For what is shown. It reads on the main thread, so give it fetches with a limit or a batch size, and leave imports
  /// to ``performBackgroundTask(_:)->_``. It learns of their saves once
  /// ``NSManagedObjectContext/automaticallyMergesChangesFromParent`` is on, which it is not at first.
  ///
  /// ```swift
  /// let view = container.viewContext
  /// view.automaticallyMergesChangesFromParent = true
  /// view.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// print(try view.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// ```
  ///
  /// Differs from Apple (D-CON-02): nobody may serve the main queue of a program on Linux; blocks for this context then
  /// never run, and a line on the standard error says so after 3 seconds. `await`, a run loop or `dispatchMain()` serve
  /// it.
  ///
  /// See also ``newBackgroundContext()``.
  open var viewContext: NSManagedObjectContext { storedViewContext }
  /// The stores that ``loadPersistentStores(completionHandler:)`` opens: by default one SQLite file named after the
  /// container, in ``defaultDirectoryURL()``.
  ///
  /// Change the first one's options, or put others in its place, before the stores are loaded; what is set later counts
  /// for the next call. Several descriptions, each with a configuration of the model, spread the entities over several
  /// files.
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
  /// main bundle, in a resource bundle beside the executable, or where the build plugin left it. A model that is not
  /// there stops the program, which says where it looked.
  ///
  /// The model of another module of the package is found, too. In tests and libraries, or where several models have one
  /// name, give the model yourself: ``init(name:managedObjectModel:)``.
  ///
  /// ```swift
  /// let container = NSPersistentContainer(name: "Diary")
  /// print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "")  // Diary.sqlite
  /// ```
  ///
  /// Differs from Apple (D-CTR-01): a missing model stops the program instead of logging an error and going on with an
  /// empty one. It is looked for in the main bundle and in resource bundles beside the executable (D-CTR-04).
  /// - Parameter name: the model's file without its extension; the store's file gets the name, too.
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
  ///   - name: the store's file is called so: `name.sqlite`.
  ///   - model: it cannot be changed from here on; a model that contradicts itself stops the program.
  ///
  /// See also ``init(name:)``, ``NSManagedObjectModel/init(contentsOf:)``.
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

  /// The folder for store files; it is made if it is not there. On Linux `$XDG_DATA_HOME` or `~/.local/share`, and in
  /// it a folder named after the executable.
  ///
  /// A subclass that overrides it moves the files of its containers. A service that runs without a home gives its
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
  /// Differs from Apple (D-CTR-02, D-CTR-03): the place, and that it is a method only.
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

  /// Opens the described stores that are not open yet, or creates them, and calls the handler once for each. Until then
  /// fetches find nothing.
  ///
  /// Stores are opened one after the other, on the calling thread, so the handler has been called when this returns,
  /// unless a description says ``NSPersistentStoreDescription/shouldAddStoreAsynchronously``. A store of an older
  /// version of the model is migrated first, which may take long. One that cannot be opened does not keep the others
  /// from being opened.
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
  /// The folder of a store's file is made if it is not there, unless the store is for reading only. Calling it again
  /// tries those once more that have failed, and is an error (134080) for those that are open.
  /// - Parameter block: gets the description and nil, or the error: 260 where a store for reading is not there, 259 for
  ///   a file that is no store, 513 where it cannot be written, 134100 for another version of the model that is not to
  ///   be migrated, 134110 to 134190 for a migration that failed, 134090 for a store that stays locked. The store's
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
    // A folder that cannot be made shows when the store is opened, with its path.
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// A new context on a private queue and on the container's coordinator, for work that goes on over several blocks: an
  /// import, a service's worker. Callable from every thread; it costs no connection and no thread until it reads.
  ///
  /// Set its name, author and merge policy before its first block; everything else belongs inside of `perform`. For one
  /// block, ``performBackgroundTask(_:)->_`` is shorter.
  ///
  /// ```swift
  /// let worker = container.newBackgroundContext()
  /// worker.name = "worker"
  /// worker.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let count = try await worker.perform { try worker.count(for: NSFetchRequest<Entry>(entityName: "Entry")) }
  /// print(count)  // 3
  /// ```
  ///
  /// A subclass that overrides it sets up every background context of the program, those of `performBackgroundTask`
  /// included.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` with a new private context, on its queue, later, and returns at once. Callable from every thread.
  ///
  /// What it throws has no way out; the asynchronous one of this name gives a result. Unsaved changes go with the
  /// context.
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

  /// Runs `block` with a new private context, on its queue, and gives its result. Callable from every thread. The
  /// context goes when the block ends, with what was not saved: save inside.
  ///
  /// The shortest way off the main thread: a request of a server, an import. Blocks of several calls run at the same
  /// time, each in its context; saves follow one another, since one connection writes.
  ///
  /// ```swift
  /// let words = try await container.performBackgroundTask { context in
  ///   let request = NSFetchRequest<Entry>(entityName: "Entry")
  ///   return try context.fetch(request).reduce(0) { $0 + Int($1.words) }
  /// }
  /// print(words)  // 400
  /// ```
  ///
  /// Give out values and IDs, not objects, whose context is gone then (D-OBJ-04). A task that is cancelled before the
  /// block has begun does not run it, as with `perform(schedule:_:)` of contexts.
  /// - Parameter block: gets the context.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws; CancellationError.
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
