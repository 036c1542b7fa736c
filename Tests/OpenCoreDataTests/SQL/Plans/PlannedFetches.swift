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
    let expected = text { try lowered(target, result) }
    let found = text { try planned(target, result) }
    // A predicate with now() is another one each time.
    if expected == found || expected != text({ try lowered(target, result) }) { return nil }
    return "expected \(String(decoding: expected, as: UTF8.self))\nfound    \(String(decoding: found, as: UTF8.self))"
  }

  /// All of a statement, or the error. As a text, since a value that is not a number does not equal itself.
  private func text(_ statement: () throws -> SQLStatement) -> [UInt8] {
    do {
      let statement = try statement()
      let columns = statement.resolutions.map { "\($0.binding) \($0.columns.count) \($0.constants)" }
      let bindings = statement.bindings.map { value in
        if case .blob(let data) = value { data.base64EncodedString() } else { "\(value)" }
      }
      return Array("\(statement.text) \(bindings) \(statement.types) \(columns)".utf8)
    } catch {
      return Array(error.localizedDescription.utf8)
    }
  }
}
