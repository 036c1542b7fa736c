import Foundation
import OpenCocoaFoundation

// Fetches of dictionaries. They return the stores' values and ignore pending changes.
extension FetchRun {
  /// The dictionaries that a request describes, of all stores that hold its entity.
  func dictionaries(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> [[String: Any]] {
    guard let query = target.dictionaries else { return [] }
    let stores = try storesToRead(for: request, target)
    guard stores.count > 1 else {
      return try stores.first?.fetchDictionaries(target, query, transaction: context.reads.transaction(on: stores[0]))
        ?? []
    }
    if !query.isOfSingleRows || !target.sortDescriptors.isEmpty {
      return try unitedDictionaries(request, target, query)
    }
    var every = target
    every.offset = 0
    if target.limit > 0 { every.limit = Self.sum(target.limit, target.offset) }
    let all = try stores.flatMap {
      try $0.fetchDictionaries(every, query, transaction: context.reads.transaction(on: $0))
    }
    let rest = all.dropFirst(target.offset)
    return Array(target.limit > 0 ? rest.prefix(target.limit) : rest)
  }

  /// The number of the dictionaries.
  func dictionaryCount(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> Int {
    guard let query = target.dictionaries else { return 0 }
    let stores = try storesToRead(for: request, target)
    guard stores.count > 1 else {
      return try stores.first?.countDictionaries(target, query, transaction: context.reads.transaction(on: stores[0]))
        ?? 0
    }
    return try dictionaries(for: request, target).count
  }

  private func storesToRead(
    for request: some AnyFetchRequest, _ target: FetchTarget
  ) throws -> [NSPersistentStore] {
    KeyExchange(of: context).absorb()
    try context.ancestors.followRoot()
    return try stores(for: request, target)
  }

  /// Groups, sorts and pages the rows of several stores in memory: no store can do this for the rows of another one.
  private func unitedDictionaries(
    _ request: some AnyFetchRequest, _ target: FetchTarget, _ query: DictionaryQuery
  ) throws -> [[String: Any]] {
    // A separate context without changes sees the stores' values, at the same commits as this one.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = context.persistentStoreCoordinator
    let generation = context.reads.generation
    return try reader.performAndWait {
      reader.reads.pin(generation)
      let objects = NSFetchRequest<NSManagedObject>()
      objects.entity = target.layout.entity
      objects.predicate = target.predicate.map { PredicateTranslation($0).predicate(for: reader) }
      objects.includesSubentities = target.includesSubentities
      objects.affectedStores = request.affectedStores
      return try DictionaryEvaluator(query, target).dictionaries(try reader.fetch(objects))
    }
  }
}
