import Foundation
import OpenCocoaFoundation

/// The settings of a fetch request, in the form in which a model keeps them.
///
/// The entity is known by name, so that a fetched property does not retain the entity that retains it. The settings are
/// copied, so that later changes of the request by a client do not reach the model.
struct FetchRequestTemplate {
  var entityName: String?
  /// The class of a request that was made by `fetchRequest()`, while the entity of the class is not known.
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

  /// Copies the settings of a request.
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

  /// Makes a new request. If the model has an entity with the name, the request gets that entity.
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

  /// The Boolean settings, in the form of archives.
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

  /// Returns the name of the entity. If only the class is known, the entity is looked up by the class.
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
  /// Whether two lists have the same names and descriptions, in the same order.
  private static func isSame(_ first: [Any]?, _ second: [Any]?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.elementsEqual(second) { one, other in
      if let one = one as? String { return one == other as? String }
      return (one as? NSObject).map { $0.isEqual(other) } ?? false
    }
  }
}
