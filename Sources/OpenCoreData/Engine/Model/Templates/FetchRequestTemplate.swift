import Foundation
import OpenCocoaFoundation

/// A fetch request in the form in which a model keeps it.
///
/// It knows its entity by name, so that a fetched property does not retain the entity that retains it, and so that a client's
/// changes to the request do not affect the model.
struct FetchRequestTemplate {
  var entityName: String?
  /// The class that a request made by `fetchRequest()` names, if no entity of the class is known.
  var objectClass: RequestedClass?
  var predicate: NSPredicate?
  var sortDescriptors: [NSSortDescriptor]?
  var fetchLimit = 0
  var fetchOffset = 0
  var fetchBatchSize = 0
  var resultType: NSFetchRequestResultType = .managedObjectResultType
  var includesSubentities = true
  var includesPropertyValues = true
  var includesPendingChanges = true
  var returnsObjectsAsFaults = true
  var shouldRefreshRefetchedObjects = false
  var returnsDistinctResults = false
  var propertiesToFetch: [Any]?
  var propertiesToGroupBy: [Any]?
  var havingPredicate: NSPredicate?
  var relationshipKeyPathsForPrefetching: [String]?

  /// A template for all objects of an entity.
  init(entityName: String?) { self.entityName = entityName }

  /// Makes a template with the settings of a request.
  init(_ request: any AnyFetchRequest) {
    entityName = request.entity?.name ?? request.entityName
    objectClass = entityName == nil ? request.objectClass : nil
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize
    resultType = request.resultType
    includesSubentities = request.includesSubentities
    includesPropertyValues = request.includesPropertyValues
    includesPendingChanges = request.includesPendingChanges
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
    returnsDistinctResults = request.returnsDistinctResults
    propertiesToFetch = request.propertiesToFetch
    propertiesToGroupBy = request.propertiesToGroupBy
    havingPredicate = request.havingPredicate
  }

  /// Makes a request for the entity of the model with the template's name, if there is one.
  func request(in model: NSManagedObjectModel?) -> NSFetchRequest<any NSFetchRequestResult> {
    let request: NSFetchRequest<any NSFetchRequestResult>
    if let entityName {
      request = NSFetchRequest(entityName: entityName)
      if let entity = model?.entitiesByName[entityName] { request.entity = entity }
    } else if let objectClass {
      request = NSFetchRequest()
      request.objectClass = objectClass
    } else {
      request = NSFetchRequest()
    }
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.resultType = resultType
    request.includesSubentities = includesSubentities
    request.includesPropertyValues = includesPropertyValues
    request.includesPendingChanges = includesPendingChanges
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    request.returnsDistinctResults = returnsDistinctResults
    request.propertiesToFetch = propertiesToFetch
    request.propertiesToGroupBy = propertiesToGroupBy
    request.havingPredicate = havingPredicate
    return request
  }

  /// The Booleans in the form of archives.
  var flags: FetchRequestFlags {
    get { FetchRequestFlags(request(in: nil)) }
    set {
      returnsDistinctResults = newValue.contains(.distinctResults)
      includesSubentities = newValue.contains(.subentities)
      includesPropertyValues = newValue.contains(.propertyValues)
      returnsObjectsAsFaults = newValue.contains(.objectsAsFaults)
      includesPendingChanges = newValue.contains(.pendingChanges)
      shouldRefreshRefetchedObjects = newValue.contains(.refreshes)
    }
  }

  /// The name of the entity, also if only its class is known.
  func entityName(among entities: [NSEntityDescription]) -> String? {
    if let entityName { return entityName }
    guard let objectClass else { return nil }
    let names = [NSStringFromClass(objectClass.type), String(describing: objectClass.type)]
    return entities.first { names.contains($0.managedObjectClassName) }?.name
  }
}

extension FetchRequestTemplate: Equatable {
  static func == (first: FetchRequestTemplate, second: FetchRequestTemplate) -> Bool {
    first.entityName == second.entityName && first.objectClass == second.objectClass
      && first.predicate == second.predicate && first.sortDescriptors == second.sortDescriptors
      && first.fetchLimit == second.fetchLimit && first.fetchOffset == second.fetchOffset
      && first.fetchBatchSize == second.fetchBatchSize && first.resultType == second.resultType
      && first.includesSubentities == second.includesSubentities
      && first.includesPropertyValues == second.includesPropertyValues
      && first.includesPendingChanges == second.includesPendingChanges
      && first.returnsObjectsAsFaults == second.returnsObjectsAsFaults
      && first.shouldRefreshRefetchedObjects == second.shouldRefreshRefetchedObjects
      && first.returnsDistinctResults == second.returnsDistinctResults
      && isSame(first.propertiesToFetch, second.propertiesToFetch)
      && isSame(first.propertiesToGroupBy, second.propertiesToGroupBy)
      && first.havingPredicate == second.havingPredicate
      && first.relationshipKeyPathsForPrefetching == second.relationshipKeyPathsForPrefetching
  }
  /// Whether names and descriptions are the same, in the same order.
  private static func isSame(_ first: [Any]?, _ second: [Any]?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.elementsEqual(second) { one, other in
      if let one = one as? String { return one == other as? String }
      return (one as? NSObject).map { $0.isEqual(other) } ?? false
    }
  }
}
