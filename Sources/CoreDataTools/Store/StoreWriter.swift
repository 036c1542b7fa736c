import CommandSupport
import Foundation
import OpenCoreData

/// A store that is open to be changed by a person, beside the programs that it belongs to.
///
/// The store is opened without any change: by the copy of its model that it keeps, without a migration, in its own journal
/// mode, and with a history if it keeps one. So the programs that it belongs to find nothing changed but the objects. If others
/// have the store locked, the writer waits only a few seconds, because a person waits, too.
///
/// <!-- stored -->
/// ```swift
/// import CoreDataTools
///
/// let writer = try StoreWriter(url)
/// let context = writer.context(author: "librarian")
/// try context.performAndWait {
///   let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
///   request.predicate = NSPredicate(format: "title == %@", "Solaris")
///   for book in try context.fetch(request) { book.setValue("Solaris, second edition", forKey: "title") }
///   try context.save()
/// }
/// ```
///
/// The store is closed when the last reference to the writer is released.
public final class StoreWriter: @unchecked Sendable {  // all properties are constants
  /// The place of the store.
  public let url: URL
  /// The kind of the store.
  public let kind: StoreKind
  /// The coordinator, which has no other store.
  public let coordinator: NSPersistentStoreCoordinator
  /// The model by which the store is open.
  public var model: NSManagedObjectModel { coordinator.managedObjectModel }
  /// Whether the store keeps a history. Each save then adds a transaction to the history.
  public let hasHistory: Bool

  /// Opens a store to change it.
  /// - Parameters:
  ///   - url: The store's file, or the URL of a server.
  ///   - model: The model of the store, for one that keeps no copy of its own: an old one, XML or binary.
  ///   - timeout: The number of seconds to wait for others that have the store locked, now and with each save.
  /// - Throws: a `ToolError` if there is no store, it cannot be written, or there is no model for it.
  public init(_ url: URL, model: NSManagedObjectModel? = nil, timeout: TimeInterval = 5) throws {
    self.url = url
    let access = StoreAccess(url, model: model)
    kind = try StoreKind.of(url)
    try kind.requireStore(url)
    let writing = try WritingOptions(access, kind, timeout: timeout)
    hasHistory = writing.hasHistory
    coordinator = try kind.coordinator(of: url, model: writing.model, options: writing.options)
  }

  deinit {
    // A store that cannot be removed is closed when the coordinator is released.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }

  /// Makes a context for changes, on a queue of its own. A save fails with the conflicts if others have saved the objects
  /// first.
  /// - Parameter author: The author of the changes in the history.
  public func context(author: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    context.mergePolicy = NSMergePolicy.error
    return context
  }

  /// Returns the ID of an object of the store; nil for an entity that the store does not have.
  public func objectID(of reference: ObjectReference) -> NSManagedObjectID? {
    guard let store = coordinator.persistentStores.first, let identifier: String = store.identifier,
      let url = URL(string: "x-coredata://\(identifier)/\(reference)")
    else { return nil }
    return coordinator.managedObjectID(forURIRepresentation: url)
  }
}

extension ObjectReference {
  /// Creates the reference of an object ID; nil for a temporary ID.
  public init?(_ id: NSManagedObjectID) {
    if id.isTemporaryID { return nil }
    let parts = id.uriRepresentation().path.split(separator: "/")
    self.init(parts.joined(separator: "/"))
  }
}
