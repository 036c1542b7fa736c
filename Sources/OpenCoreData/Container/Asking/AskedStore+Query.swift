import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension AskedStore {
  /// The source of a column's values.
  private enum Column {
    /// A value in the object's row.
    case attribute(PropertySlot), toOne(PropertySlot)
    /// A value of a fetch of dictionaries, under a name of its own.
    case fetched(String, NSAttributeDescription?)
  }

  package func rows(of query: StoreQuery, _ body: ([InspectedValue]) throws -> Void) throws {
    let layout = try layout(named: query.entity)
    let columns = query.columns.enumerated().map { column($1, "\($0)", of: layout) }
    let ids = try fetch(query)
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      let batch = ids[start..<min(start + Self.batchSize, ids.count)]
      let rows = try self.rows(batch), fetched = try fetchedValues(query, columns, batch)
      for id in batch {
        guard let row = rows[id.key] else { continue }
        let values = try columns.map { column -> InspectedValue in
          switch column {
          // A subentity's slots begin with the slots of the entity, so the entity's slots fit its rows.
          case .attribute(let slot): try InspectedValue(slot, row)
          case .toOne(let slot): reference(slot, row).map { .object($0) } ?? .null
          case .fetched(let name, let attribute): InspectedValue(fetched[id.key]?[name], attribute)
          }
        }
        try body([.object(InspectedReference(entity: id.entity.name ?? "", key: id.key))] + values)
      }
    }
  }

  private func column(_ keyPath: String, _ name: String, of layout: EntityLayout) -> Column {
    if let slot = layout.attributeSlots.first(where: { $0.name == keyPath }) { return .attribute(slot) }
    if let slot = layout.toOneSlots.first(where: { $0.name == keyPath }) { return .toOne(slot) }
    let (end, rest) = layout.end(of: keyPath)
    return .fetched(name, end.attributeSlots.first { $0.name == rest }?.attribute)
  }

  private func rows(_ ids: ArraySlice<NSManagedObjectID>) throws -> [Int64: Snapshot] {
    var rows: [Int64: Snapshot] = [:]
    for (_, some) in Dictionary(grouping: ids, by: { ObjectIdentifier($0.entity) }) {
      let keys = ContiguousArray(some.map(\.key).sorted())
      for row in try reader.rows(keys, some[0].entity.layout) { rows[row.primaryKey] = row }
    }
    return rows
  }

  /// Returns the values that are not in the objects' own rows, by the objects' keys.
  private func fetchedValues(
    _ query: StoreQuery, _ columns: [Column], _ ids: ArraySlice<NSManagedObjectID>
  ) throws -> [Int64: [String: Any]] {
    var properties: [NSExpressionDescription] = []
    for (keyPath, column) in zip(query.columns, columns) {
      guard case .fetched(let name, _) = column else { continue }
      properties.append(Self.expression(NSExpression(forKeyPath: keyPath), name, .undefinedAttributeType))
    }
    if properties.isEmpty { return [:] }
    let itself = Self.expression(.expressionForEvaluatedObject(), "self", .objectIDAttributeType)
    let request = NSFetchRequest<NSDictionary>(entityName: query.entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties + [itself]
    request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
    let dictionaries = try inContext { try $0.fetch(request) }
    return Dictionary(
      dictionaries.compactMap { dictionary in
        guard let values = dictionary as? [String: Any], let id = values["self"] as? NSManagedObjectID else {
          return nil
        }
        return (id.key, values)
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func expression(
    _ expression: NSExpression, _ name: String, _ type: NSAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    (description.name, description.expression, description.expressionResultType) = (name, expression, type)
    return description
  }

  package func count(_ query: StoreQuery) throws -> Int {
    let request = try Self.request(query, of: layout(named: query.entity), as: NSManagedObject.self)
    return try inContext { try $0.count(for: request) }
  }

  /// Returns the statement that answers a query, and the plan for the statement. The store also runs the query.
  /// - Throws: 134091 for a store that has no plans.
  package func explain(_ query: StoreQuery, isCount: Bool) throws -> ExplainedQuery {
    let request = try Self.request(query, of: layout(named: query.entity), as: NSManagedObject.self)
    let queries = try inContext { context in
      try context.explain { isCount ? try context.count(for: request) : try context.fetch(request).count }.queries
    }
    if let explained = queries.first { return explained }
    throw NSError(
      coreData: NSPersistentStoreUnsupportedRequestTypeError,
      "The store \((store.url?.placeOfStore ?? "")) of the type \(store.type) has no plans.")
  }

  package func estimate(_ query: StoreQuery, _ explained: ExplainedQuery) throws -> RowEstimate {
    var all = StoreQuery(entity: query.entity)
    all.includesSubentities = query.includesSubentities
    var unlimited = query
    (unlimited.limit, unlimited.offset) = (0, 0)
    let total = try count(all), found = try count(unlimited)
    return RowEstimate(total: total, examined: max(min(explained.examined ?? total, total), found), found: found)
  }

  // MARK: Fetches

  /// Returns the IDs of the objects that a query finds, in the query's order.
  func fetch(_ query: StoreQuery) throws -> [NSManagedObjectID] {
    let request = try Self.request(query, of: layout(named: query.entity), as: NSManagedObjectID.self)
    request.resultType = .managedObjectIDResultType
    return try inContext { try $0.fetch(request) }
  }

  private static func request<Result: NSFetchRequestResult>(
    _ query: StoreQuery, of layout: EntityLayout, as result: Result.Type
  ) throws -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: layout.name)
    request.predicate = query.predicate
    request.sortDescriptors = query.sortDescriptors
    request.fetchLimit = query.limit
    request.fetchOffset = query.offset
    request.includesSubentities = query.includesSubentities
    return request
  }

  /// Runs `body` in the context, which no other code uses.
  func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = context
    return try context.performAndWait {
      let result = Swift.Result {
        try EvaluationLimit.run(EvaluationLimit(patternSteps: InspectedStore.patternSteps)) {
          try stoppable(context) { try body(context) }
        }
      }
      // The objects of a fetch are not used again. Resetting the context also moves it on to the store's present state,
      // so its generation is set again below.
      let generation = context.queryGenerationToken
      context.reset()
      // An error of `body` came first, and is thrown first.
      let value = try result.get()
      if let generation { try context.setQueryGenerationFrom(generation) }
      return value
    }
  }
}
