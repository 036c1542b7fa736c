import CoreData
import WebProtocol

/// A fetch, as it is put to the service.
struct FetchQuestion {
  var message: QueryMessage
  /// What has to be checked, and put in order, here.
  let rest: NSPredicate?
  let order: [NSSortDescriptor]?
  let limit: Int
  let offset: Int
  let batchSize: Int
  /// Limit and offset count the different dictionaries, which only this side knows.
  let countsDistinct: Bool

  /// Whether the service's answer is the answer.
  var isWhole: Bool { rest == nil && order == nil }

  init(
    _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription, _ limits: ServiceLimits,
    identify: (NSManagedObjectID) -> String?
  ) {
    message = QueryMessage(entity: entity.name ?? "")
    message.subentities = request.includesSubentities
    let split = PredicateCoding.split(request.predicate, limits, identify: identify)
    (message.predicate, rest) = (split.said, split.rest)
    let said = (request.sortDescriptors ?? []).map { OrderCoding.order($0) }
    let orders = said.compactMap { $0 }
    if orders.count == said.count {
      message.sort = orders.isEmpty ? nil : orders
      order = nil
    } else {
      order = request.sortDescriptors
    }
    (limit, offset, batchSize) = (request.fetchLimit, request.fetchOffset, request.fetchBatchSize)
    countsDistinct = request.resultType == .dictionaryResultType && request.returnsDistinctResults
    if isWhole, !countsDistinct {
      message.limit = limit > 0 ? limit : nil
      message.offset = offset > 0 ? offset : nil
    }
    let paths = request.relationshipKeyPathsForPrefetching ?? []
    message.include = paths.isEmpty ? nil : paths
    // A page is read when it is needed: the service says who is in the result. A program that prefetches reads all of it.
    let wantsFew = request.fetchBatchSize > 0 || !request.includesPropertyValues
    if request.resultType == .managedObjectResultType, wantsFew, paths.isEmpty, isWhole { message.answer = .ids }
  }

  /// What limit and offset leave of a result that is whole.
  func window<Element>(_ found: [Element]) -> [Element] {
    Array(found.dropFirst(offset).prefix(limit > 0 ? limit : .max))
  }
}
