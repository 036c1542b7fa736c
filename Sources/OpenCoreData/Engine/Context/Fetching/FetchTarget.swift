import Foundation
import OpenCocoaFoundation

/// A fetch request with its entity resolved in the context's own model.
@_spi(Store) public struct FetchTarget {
  /// The entity that is fetched.
  public unowned(unsafe) let layout: EntityLayout
  /// The condition that objects have to meet; nil for all objects.
  public let predicate: NSPredicate?
  /// The order of the objects; empty for none.
  public let sortDescriptors: [NSSortDescriptor]
  /// The largest number of objects; 0 for no limit.
  public var limit: Int
  /// How many objects are left out at the beginning.
  public var offset: Int
  /// Whether objects of entities that inherit from the entity are fetched, too.
  public let includesSubentities: Bool
  /// The key paths of relationships that will be prefetched for the objects: a store may read them together with these.
  package private(set) var prefetched: [String] = []
  /// How many objects the program wants to have read together; 0 for no wish. A store that is asked for the request itself
  /// can read keys first, and rows in such parts.
  package private(set) var batchSize = 0
  /// Whether the program wants keys alone.
  package private(set) var wantsKeysAlone = false
  /// The columns of the dictionaries, where the request asks for dictionaries.
  package private(set) var dictionaries: DictionaryQuery?
  /// Rows that the fetch leaves out, or the only rows that it may find; nil for no such restriction.
  package var rows: RowChoice?
  /// Whether the store is to be read in the same state as by the read before.
  package var isContinued = false
  /// Can stop the fetch.
  package var watch: FetchWatch?

  /// - Throws: 134060 for properties to fetch or to group by that do not fit the entity or each other.
  package init(_ request: some AnyFetchRequest, in context: NSManagedObjectContext) throws {
    let model = try context.requiredCoordinator().managedObjectModel
    let entity: NSEntityDescription
    if let type = request.objectClass?.type as? NSManagedObject.Type {
      entity = context.entity(for: type)
    } else if let known = request.entity {
      // Several copies of a model may exist: the entity is taken from the context's model.
      entity = model.entitiesByName[known.name ?? ""] ?? known
    } else if let name = request.entityName {
      entity = context.entity(named: name)
    } else {
      raise(.invalidArgument, "executeFetchRequest:error: A fetch request must have an entity.")
    }
    layout = entity.layout
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors ?? []
    // Negative numbers count as 0.
    limit = max(0, request.fetchLimit)
    offset = max(0, request.fetchOffset)
    includesSubentities = request.includesSubentities
    if request.resultType == .managedObjectResultType { prefetched = request.relationshipKeyPathsForPrefetching ?? [] }
    batchSize = max(0, request.fetchBatchSize)
    wantsKeysAlone = !request.includesPropertyValues
    dictionaries = try DictionaryQuery(request, of: layout)
    watch = context.readState.watch
  }

  package init(
    layout: EntityLayout, predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor] = [], includesSubentities: Bool
  ) {
    self.layout = layout
    self.predicate = predicate
    self.includesSubentities = includesSubentities
    self.sortDescriptors = sortDescriptors
    limit = 0
    offset = 0
  }

  /// Makes a fetch request again, for a store that executes it itself.
  package func request(_ resultType: NSFetchRequestResultType) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = layout.entity
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors.isEmpty ? nil : sortDescriptors
    request.fetchLimit = limit
    request.fetchOffset = offset
    request.includesSubentities = includesSubentities
    request.resultType = resultType
    if resultType == .managedObjectResultType {
      request.relationshipKeyPathsForPrefetching = prefetched.isEmpty ? nil : prefetched
      request.fetchBatchSize = batchSize
      request.includesPropertyValues = !wantsKeysAlone
    }
    if let dictionaries { dictionaries.complete(request) }
    return request
  }

  /// Whether another fetch, of the same request, gives the same rows.
  package func asksTheSame(as other: FetchTarget) -> Bool {
    limit == other.limit && offset == other.offset && rows == other.rows
  }

  /// Whether the results are all objects of the entity.
  package var isUnrestricted: Bool { predicate == nil && limit == 0 && offset == 0 && rows == nil }

  /// Whether objects of that entity may be among the results.
  public func includes(_ other: EntityLayout) -> Bool {
    other === layout || (includesSubentities && other.isKind(of: layout))
  }
}

/// Turns objects into the array that a typed request promises.
package enum FetchedArray {
  /// - Parameter isUniform: whether all objects are of one entity.
  package static func cast<Result>(
    _ objects: ContiguousArray<NSManagedObject>, to type: Result.Type, isUniform: Bool
  ) -> [Result] {
    guard type is NSManagedObject.Type else { return objects.map { require($0, type) } }
    // Each entity has one class: it is enough to check one object of each entity, and then the array can be converted as
    // a whole.
    var checked: EntityLayout?
    for object in isUniform ? objects[..<min(1, objects.count)] : objects[...] where object.layout !== checked {
      _ = require(object, type)
      checked = object.layout
    }
    return unsafeBitCast(Array(objects), to: [Result].self)
  }

  private static func require<Result>(_ object: NSManagedObject, _ wanted: Result.Type) -> Result {
    if let result = object as? Result { return result }
    raise(
      .invalidArgument,
      "The objects of entity \(object.layout.name) are of class \(type(of: object)), but NSFetchRequest<\(wanted)> was "
        + "asked for. Is the class that the model names part of the program?")
  }
}

/// A choice of rows by their keys.
package enum RowChoice: Equatable {
  case only(ContiguousArray<Int64>)
  case without(ContiguousArray<Int64>)

  package func includes(_ key: Int64) -> Bool {
    switch self {
    case .only(let keys): keys.contains(key)
    case .without(let keys): !keys.contains(key)
    }
  }
}
