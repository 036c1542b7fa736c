import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// Statements of fetches of people, by a cache of plans, beside those that are lowered anew each time.
final class PlannedFetches {
  let schema: SQLModel
  let cache: FetchPlanCache<SQLStatement>
  /// How many fetches got the statement of another one with other values.
  private(set) var rebound = 0

  init(_ model: NSManagedObjectModel, dialect: any SQLDialect) {
    schema = SQLModel(entities: model.entities, dialect: dialect)
    cache = FetchPlanCache()
  }

  func target(
    _ predicate: NSPredicate?, entity: String = "Person", sortedBy descriptors: [NSSortDescriptor] = []
  ) throws -> FetchTarget {
    guard let entity = schema.entity(named: entity) else { throw TestDatabase.Failure(message: "no entity \(entity)") }
    return FetchTarget(
      layout: entity.entity.layout, predicate: predicate, sortDescriptors: descriptors, includesSubentities: true)
  }

  /// The statement by the cache.
  func planned(_ target: FetchTarget, _ result: FetchPlanResult = .rows) throws -> SQLStatement {
    guard let entity = schema.entity(for: target.layout.entity) else { throw TestDatabase.Failure(message: "entity") }
    return try cache.plan(
      target, result, model: schema, entity: entity, make: { $0 },
      rebind: { statement, values in
        rebound += 1
        var statement = statement
        statement.bindings = values
        return statement
      }
    ).statement
  }

  /// The statement without the cache.
  func lowered(_ target: FetchTarget, _ result: FetchPlanResult = .rows) throws -> SQLStatement {
    guard let entity = schema.entity(for: target.layout.entity) else { throw TestDatabase.Failure(message: "entity") }
    return try SQLFetch(target, result, model: schema, entity: entity).statement().statement
  }

  /// What the two say differently; nil if nothing.
  func difference(_ target: FetchTarget, _ result: FetchPlanResult = .rows) -> String? {
    let expected = Result { try lowered(target, result) }
    let found = Result { try planned(target, result) }
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      if expected == found || !expected.resolutions.isEmpty && expected.text == found.text { return nil }
      return "expected \(expected)\nfound    \(found)"
    case (.failure(let expected), .failure(let found)):
      return expected.localizedDescription == found.localizedDescription
        ? nil : "expected \(expected)\nfound    \(found)"
    default: return "expected \(expected)\nfound    \(found)"
    }
  }
}
