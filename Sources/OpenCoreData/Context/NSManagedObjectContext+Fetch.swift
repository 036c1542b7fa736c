import Foundation
import OpenCocoaFoundation

// Fetching: the statement, the objects of its rows, and what is pending in the context laid over them.
extension NSManagedObjectContext {
  /// Reads the objects that the request describes.
  ///
  /// Rows go to the row cache; objects come as faults unless the request says otherwise. Objects that are realised
  /// already keep their values. Pending changes are taken into account unless the request says otherwise.
  /// - Throws: an error that names entity and key for a predicate, sort descriptor or prefetching key path that does not
  ///   fit the model, and names the part of a predicate that SQL cannot express; the store's errors.
  public final func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    checkQueue()
    let target = try FetchTarget(request, in: self)
    switch request.resultType {
    case .countResultType:
      return try cast([NSNumber(value: try count(for: request))], ResultType.self)
    case .managedObjectIDResultType:
      return try cast(
        try objects(for: request, target, wantsRows: request.includesPropertyValues).map(\.objectID), ResultType.self)
    case .managedObjectResultType:
      let isUniform = !target.includesSubentities || !target.layout.hasSubentities
      return FetchedArray.cast(
        try objects(for: request, target, wantsRows: true), to: ResultType.self, isUniform: isUniform)
    default:
      // Fetch request templates of models may ask for dictionaries (2).
      throw NSError(coreData: NSCoreDataError, "Result type \(request.resultType.rawValue) is not supported.")
    }
  }

  /// The number of objects that a fetch of the request would give.
  /// - Throws: as `fetch(_:)`.
  public final func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    checkQueue()
    let target = try FetchTarget(request, in: self)
    let stores = try stores(for: request, target)
    return try withPendingAbove(request, target) { above in
      let hasPending = above != nil || request.includesPendingChanges && !pendingObjects(target).isEmpty
      if hasPending || target.offset > 0 && stores.count > 1 {
        return try objects(for: request, target, wantsRows: false, above).count
      }
      var total = 0
      for store in stores {
        total += try store.count(target, lease: lease(on: store))
      }
      return request.fetchLimit > 0 ? min(total, request.fetchLimit) : total
    }
  }

  /// Runs a request that is no fetch: a batch insert, update or delete, or one about history.
  ///
  /// A batch request goes straight to the stores: pending changes of contexts have no part in it, and objects that they have
  /// learn nothing of it; see `execute(_:mergingInto:)`. Each store is a transaction of its own.
  /// - Returns: the request's own result type.
  /// - Throws: 134091 for any other request, fetches too, for which there is `fetch(_:)`, and for a batch request where a store
  ///   is not of SQLite; the store's errors.
  @discardableResult
  public final func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkQueue()
    switch request {
    case let history as NSPersistentHistoryChangeRequest: return try runHistory(history)
    default:
      if let result = try runBatch(request) { return result }
      throw NSError(
        coreData: NSPersistentStoreUnsupportedRequestTypeError,
        "Requests of type \(type(of: request)) are not executed this way; use fetch(_:) for a fetch request.")
    }
  }

  private final func cast<Result>(_ values: [Any], _ type: Result.Type) throws -> [Result] {
    try values.map { value in
      if let value = value as? Result { return value }
      throw NSError(
        coreData: NSCoreDataError,
        "The request's result type gives \(Swift.type(of: value)), but NSFetchRequest<\(type)> was asked for.")
    }
  }

  // MARK: Objects

  /// The request's objects, pending changes laid over them.
  private final func objects(
    for request: some AnyFetchRequest, _ target: FetchTarget, wantsRows: Bool
  ) throws -> ContiguousArray<NSManagedObject> {
    try withPendingAbove(request, target) { try objects(for: request, target, wantsRows: wantsRows, $0) }
  }

  private final func objects(
    for request: some AnyFetchRequest, _ target: FetchTarget, wantsRows: Bool, _ above: PendingAbove?
  ) throws -> ContiguousArray<NSManagedObject> {
    let pending = request.includesPendingChanges ? pendingObjects(target) : []
    var query = target
    let stores = try stores(for: request, target)
    // Where a page begins shows when all is together: what is pending, and what other stores hold.
    let pendingCount = pending.count + (above?.hidden.count ?? 0)
    let pagesHere = target.offset > 0 && (pendingCount > 0 || stores.count > 1)
    if pagesHere { query.offset = 0 }
    // Rows that pending changes take out of the result must not make it shorter than it should be.
    if query.limit > 0 { query.limit += pendingCount + (pagesHere ? target.offset : 0) }
    var objects: ContiguousArray<NSManagedObject> = []
    for store in stores { objects.append(contentsOf: try read(query, request, store, wantsRows: wantsRows, above)) }
    if stores.count > 1, let order = request.sortDescriptors, !order.isEmpty { sort(&objects, order) }
    if pendingCount > 0 { try overlay(pending, above, target, request, &objects) }
    if pagesHere { objects.removeFirst(min(target.offset, objects.count)) }
    if target.limit > 0, objects.count > target.limit { objects.removeLast(objects.count - target.limit) }
    for keyPath in request.relationshipKeyPathsForPrefetching ?? [] {
      try prefetch(keyPath, objects, target.layout)
    }
    return objects
  }

  private final func stores(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> [NSPersistentStore] {
    let all = try requiredCoordinator().persistentStores
    let wanted =
      request.affectedStores.map { affected in all.filter { store in affected.contains { $0 === store } } } ?? all
    return wanted.filter { $0.holds(target.layout.entity) && sees($0) }
  }

  private final func read(
    _ target: FetchTarget, _ request: some AnyFetchRequest, _ store: NSPersistentStore, wantsRows: Bool,
    _ above: PendingAbove?
  ) throws -> ContiguousArray<NSManagedObject> {
    let table = table(for: target.layout, store: store)
    let isKeysOnly = !wantsRows || !request.includesPropertyValues || request.fetchBatchSize > 0
    let fetched =
      try isKeysOnly
      ? store.fetchKeys(target, lease: lease(on: store)) : store.fetchRows(target, lease: lease(on: store))
    if fetched.keys.isEmpty { return [] }
    let company = FaultCompany(
      fetched.keys, layout: target.layout, size: request.fetchBatchSize > 0 ? request.fetchBatchSize : nil)
    table.reserve(fetched.keys.count)
    let isMixed = target.includesSubentities && target.layout.hasSubentities
    let objects = ContiguousArray<NSManagedObject>(unsafeUninitializedCapacity: fetched.keys.count) { buffer, count in
      table.lookUp(fetched.keys) { index, known in
        let object =
          known
          ?? makeFault(
            fetched.keys[index], isMixed ? fetched.layout(index, asked: target.layout) : target.layout, table)
        if object.rowReference == nil, !object.state.contains(.hasNoRow) { object.company = company }
        buffer.initializeElement(at: index, to: object)
      }
      count = fetched.keys.count
    }
    if !request.returnsObjectsAsFaults, !isKeysOnly {
      for (index, object) in objects.enumerated() where object.isFault {
        if above?.hides(object) == true {
          continue  // The contexts above know better what it has.
        } else if !request.includesPendingChanges, ancestorsHaveChanges {
          fulfill(object)
        } else if fetched.rows.isEmpty {
          fulfill(object)
        } else if fetched.rows[index].fits(object) {
          realise(object, fetched.rows[index])
        }
      }
    }
    return objects
  }

  // MARK: Pending changes

  /// Changed objects of the target's entity.
  final func pendingObjects(_ target: FetchTarget) -> ContiguousArray<NSManagedObject> {
    if changed.isEmpty { return [] }
    // What others have deleted is not in the store, and takes no part in fetches.
    return ContiguousArray(
      changed.lazy.filter {
        $0.hasChanges && !$0.state.contains(.inaccessible) && target.includes($0.layout)
      })
  }

  /// Puts in what matches now, takes out what does not, and restores the order.
  private final func overlay(
    _ pending: ContiguousArray<NSManagedObject>, _ above: PendingAbove?, _ target: FetchTarget,
    _ request: some AnyFetchRequest, _ objects: inout ContiguousArray<NSManagedObject>
  ) throws {
    var touched = Set(pending)
    objects.removeAll { touched.contains($0) || above?.hides($0) == true }
    touched = []
    for object in pending where !object.state.contains(.deleted) {
      if request.predicate?.evaluate(with: object) ?? true { objects.append(object) }
    }
    for match in above?.matches ?? [] {
      let object = faultObject(key: match.key, layout: match.layout, store: match.store)
      objects.append(object)
      if !request.returnsObjectsAsFaults, object.isFault { fulfill(object) }
    }
    if let order = request.sortDescriptors, !order.isEmpty { sort(&objects, order) }
  }

  private final func sort(_ objects: inout ContiguousArray<NSManagedObject>, _ order: [NSSortDescriptor]) {
    objects = ContiguousArray(Array(objects).sorted(by: order))
  }
}
