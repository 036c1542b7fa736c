import Foundation
import OpenCocoaFoundation

extension NSFetchRequest {
  /// A request of the same class with the same settings.
  final func duplicate() -> NSFetchRequest {
    let copy = Swift.type(of: self).init()
    if let entity { copy.entity = entity }
    if copy.storedEntityName == nil { copy.storedEntityName = storedEntityName }
    copy.objectClass = objectClass
    copy.storesToAsk = affectedStores
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.fetchLimit = fetchLimit
    copy.fetchOffset = fetchOffset
    copy.fetchBatchSize = fetchBatchSize
    copy.resultType = resultType
    copy.includesSubentities = includesSubentities
    copy.includesPropertyValues = includesPropertyValues
    copy.includesPendingChanges = includesPendingChanges
    copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    copy.returnsObjectsAsFaults = returnsObjectsAsFaults
    copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    copy.propertiesToFetch = propertiesToFetch
    copy.returnsDistinctResults = returnsDistinctResults
    copy.propertiesToGroupBy = propertiesToGroupBy
    copy.havingPredicate = havingPredicate
    return copy
  }
}
