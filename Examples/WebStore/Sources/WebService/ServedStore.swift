import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import Synchronization
import WebProtocol

/// An answer that says no.
struct ServiceError: Error {
  let status: Int
  let failure: Failure

  init(_ status: Int, _ failure: Failure) { (self.status, self.failure) = (status, failure) }

  init(_ status: Int, _ message: String, code: Int? = nil) { self.init(status, Failure(message, code: code)) }

  /// 404 that names what is not there: one without that name comes from something else, which stands between.
  init(gone name: String, _ message: String) {
    var failure = Failure(message)
    failure.gone = [name]
    self.init(404, failure)
  }
}

/// A SQLite store whose objects are served: any model, and a file that is made if it is not there.
public final class ServedStore: Sendable {
  /// What the service does not exceed.
  public struct Limits: Sendable {
    /// Those that clients are told.
    public var told = ServiceLimits()
    /// How many fetches in pages are open; each holds a state of the store.
    public var openPages = 8

    public init() {}
  }

  let coordinator: NSPersistentStoreCoordinator
  let limits: ServiceLimits
  let pages: OpenPages
  /// Saves come one after the other, in this context.
  let writer: NSManagedObjectContext
  let saves = Mutex(FinishedSaves())
  /// The greatest number that was given out for each root entity, as far as this process knows.
  let given = Mutex<[String: Int64]>([:])
  /// How many saves this process has carried out, and a name for this process.
  let saveCount = Mutex(0)
  let start = UUID()

  var store: NSPersistentStore { coordinator.persistentStores[0] }
  var entities: [String: NSEntityDescription] { coordinator.managedObjectModel.entitiesByName }

  /// - Throws: what adding the store throws, as 134100 for a file of another model.
  public init(model: NSManagedObjectModel, at url: URL, limits: Limits = Limits()) throws {
    self.limits = limits.told
    pages = OpenPages(limit: limits.openPages)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    // The history is how a save is known that was carried out before the service was started anew.
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = coordinator
    let week = Date(timeIntervalSinceNow: -7 * 86_400)
    _ = try writer.performAndWait { try writer.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: week)) }
  }

  /// Ends the use of the file.
  public func close() throws {
    pages.closeAll()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    return context
  }

  func description() -> StoreAnswer {
    let hashes = coordinator.managedObjectModel.entityVersionHashesByName.mapValues { $0.base64EncodedString() }
    return StoreAnswer(identifier: store.identifier ?? "", hashes: hashes, limits: limits, state: state())
  }

  // MARK: Names

  func entity(_ name: String) throws -> NSEntityDescription {
    if let entity = entities[name] { return entity }
    throw ServiceError(
      400, "There is no entity “\(name.prefix(100))”. There are \(entities.keys.sorted().joined(separator: ", ")).")
  }

  /// The ID of the object that is called "Author/12".
  func objectID(_ id: String) throws -> NSManagedObjectID {
    guard let slash = id.lastIndex(of: "/"), let number = Int64(id[id.index(after: slash)...]), number > 0,
      number < 1 << 60
    else {
      throw ServiceError(400, "“\(id.prefix(100))” is no ID: one is made of an entity and a number, as Author/12.")
    }
    return store.objectID(try entity(String(id[..<slash])), key: number)
  }

  static func name(_ objectID: NSManagedObjectID) -> String { "\(objectID.entity.name ?? "")/\(objectID.primaryKey)" }

  static func root(_ entity: NSEntityDescription) -> NSEntityDescription {
    var root = entity
    while let above = root.superentity { root = above }
    return root
  }

  /// Checks how many IDs a request has.
  func require(_ ids: [String]) throws {
    if ids.count > limits.pageSize {
      throw ServiceError(400, "The request has \(ids.count) IDs; \(limits.pageSize) are allowed.")
    }
  }
}
