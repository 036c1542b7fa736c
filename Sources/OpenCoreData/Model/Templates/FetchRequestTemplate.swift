import Foundation
import OpenCocoaFoundation

/// What a fetch request asks for, as a model keeps it.
///
/// The entity is known by name, so that a fetched property does not retain the entity that retains it, and what a client
/// does with the request afterwards does not reach the model.
struct FetchRequestTemplate {
  var entityName: String?
  /// The class that a request made by `fetchRequest()` names, while no entity of it is known.
  var objectClass: NSManagedObject.Type?
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
  /// Requests have no such property yet; models state it.
  var returnsDistinctResults = false
  var relationshipKeyPathsForPrefetching: [String]?

  /// A template for all objects of an entity.
  init(entityName: String?) { self.entityName = entityName }

  /// Takes what a request says.
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
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
  }

  /// A new request, for an entity of the model if it has one of that name.
  func request(in model: NSManagedObjectModel?) -> NSFetchRequest<any NSFetchRequestResult> {
    let request: NSFetchRequest<any NSFetchRequestResult>
    if let entityName {
      request = NSFetchRequest(entityName: entityName)
      if let entity = model?.entitiesByName[entityName] { request.entity = entity }
    } else if let objectClass {
      request = NSFetchRequest(objectClass: objectClass)
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
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    return request
  }

  /// The name of the entity, also where only its class is known.
  func entityName(among entities: [NSEntityDescription]) -> String? {
    if let entityName { return entityName }
    guard let objectClass else { return nil }
    let qualified = NSStringFromClass(objectClass)
    let names = [qualified, String(describing: objectClass)]
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
      && first.returnsDistinctResults == second.returnsDistinctResults
      && first.relationshipKeyPathsForPrefetching == second.relationshipKeyPathsForPrefetching
  }
}
