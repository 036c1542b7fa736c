import CoreData
import Foundation
import Synchronization
import WebProtocol

/// A store whose objects a web service has: `Examples/WebStore/README.md` describes what it asks for.
///
/// ```swift
/// WebIncrementalStore.register()
/// try coordinator.addPersistentStore(
///   ofType: WebIncrementalStore.type, configurationName: nil, at: URL(string: "http://127.0.0.1:8080/"))
/// ```
///
/// A fetch brings its objects' values along, so that their faults ask for nothing. Objects that a to-one relationship leads to
/// come in company with those beside them, or with the fetch if it prefetches the relationship. What was read is kept and is
/// answered from while the service is away; a save then fails, and the context keeps its changes.
///
/// Errors: those of `WebStoreErrorCode`; 134100 if the service has another model; 133020 with the conflicts if others have
/// changed what a save writes; validation errors of the service.
// Sendable: `memory` and `opened` have locks.
public final class WebIncrementalStore: NSIncrementalStore, @unchecked Sendable {
  /// The type to add such a store with.
  public static let type = "WebIncrementalStore"

  /// Makes the class known to coordinators; may be called again.
  public static func register() {
    NSPersistentStoreCoordinator.registerStoreClass(WebIncrementalStore.self, forStoreType: type)
  }

  struct Memory {
    var cache: WebCache
    /// How much greater a version is for Core Data, which counts saves, than for the service; few objects have an entry.
    var shifts: [String: Int64] = [:]
    var doubts: [Doubt] = []
  }

  struct Place: Sendable {
    let connection: WebConnection
    let options: WebStoreOptions
    let limits: ServiceLimits
  }

  let memory = Mutex(Memory(cache: WebCache(limit: 0, roots: [:])))
  private let opened = Mutex<Place?>(nil)

  override public var type: String { Self.type }

  var place: Place {
    get throws {
      if let place = opened.withLock({ $0 }) { return place }
      throw NSError(web: .notAService, "The store has not been opened.")
    }
  }

  /// What was asked of the service.
  public var traffic: WebTraffic { (try? place)?.connection.traffic ?? WebTraffic() }

  /// Counts from zero again.
  public func resetTraffic() { (try? place)?.connection.note { $0 = WebTraffic() } }

  /// Why the service cannot be reached; nil if it answered when it was asked last.
  public var absence: NSError? { (try? place)?.connection.absence }

  // MARK: Opening

  override public func loadMetadata() throws {
    let options = try WebStoreOptions(self.options)
    let (connection, answer) = try Self.reach(url, options)
    var roots: [String: String] = [:]
    for entity in persistentStoreCoordinator?.managedObjectModel.entities ?? [] {
      var root = entity
      while let above = root.superentity { root = above }
      roots[entity.name ?? ""] = root.name
    }
    memory.withLock { $0.cache = WebCache(limit: options.cacheLimit, roots: roots) }
    opened.withLock { $0 = Place(connection: connection, options: options, limits: answer.limits) }
    metadata = Self.metadata(of: answer)
  }

  /// The metadata of a service that is not opened, with the state of its objects under `stateKey`.
  override public class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let answer = try reach(url, WebStoreOptions(nil)).answer
    var metadata = metadata(of: answer)
    metadata[stateKey] = answer.state
    return metadata
  }

  override public class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw NSError(web: .unsupported, "The service keeps no metadata of its clients.")
  }

  // MARK: What Core Data asks for

  override public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any
  {
    switch (request, context) {
    case (let fetch as NSFetchRequest<any NSFetchRequestResult>, let context?):
      return try telling { try answer(fetch, context) }
    case (let save as NSSaveChangesRequest, let context?):
      try telling { try write(save, context) }
      return [Any]()
    case (is NSSaveChangesRequest, nil):
      throw NSError(web: .unsupported, "The service keeps no metadata of its clients.")
    default:
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSPersistentStoreUnsupportedRequestTypeError,
        userInfo: [NSLocalizedDescriptionKey: "A web store cannot answer a \(Swift.type(of: request))."])
    }
  }

  override public func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode { try telling { try node(objectID, context) } }

  override public func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any { try telling { try members(relationship, objectID, context) } }

  /// One request for as many objects as the service takes at once.
  override public func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    if array.isEmpty { return [] }
    let size = max(1, try telling { try place.limits.ids })
    var identifiers: [NSManagedObjectID] = []
    while identifiers.count < array.count {
      let objects = array[identifiers.count...].prefix(size)
      let counts = objects.reduce(into: [String: Int]()) { $0[$1.entity.name ?? "", default: 0] += 1 }
      let answer: IDsAnswer = try telling { try place.connection.post("ids", IDsMessage(counts: counts)) }
      var rest = answer.ids.mapValues { $0[...] }
      for object in objects {
        guard let id = rest[object.entity.name ?? ""]?.popFirst() else {
          throw NSError(web: .notAService, "The service gave fewer IDs than it was asked for.")
        }
        identifiers.append(try objectID(id))
      }
    }
    return identifiers
  }

  /// Turns what a request ends with into the errors that a program sees.
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let away as AwayError { throw away.error } catch let no as StatusError {
      throw NSError(no.failure, status: no.status)
    } catch let error as ProtocolError { throw NSError(web: .unsupported, error.description) }
  }
}
