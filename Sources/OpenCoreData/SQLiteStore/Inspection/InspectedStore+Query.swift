import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A fetch of an entity's objects, with the values that are wanted of each.
package struct StoreQuery {
  package var entity: String
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// The largest number of objects; 0 for no limit.
  package var limit = 0
  package var offset = 0
  package var includesSubentities = true
  /// The key paths whose values a row has after the object itself.
  package var columns: [String] = []

  package init(entity: String) { self.entity = entity }
}

extension InspectedStore {
  /// Returns the key paths of an entity's own values: its attributes, then its to-one relationships.
  /// - Throws: 134060 for an unknown entity.
  package func valueColumns(of name: String) throws -> [String] {
    let columns = try entity(named: name).columns
    let attributes = columns.compactMap { if case .attribute(let attribute) = $0 { attribute.keyPath } else { nil } }
    let toOnes = columns.compactMap { if case .toOne(let toOne) = $0 { toOne.relationship.name } else { nil } }
    return attributes.sorted() + toOnes.sorted()
  }

  /// Returns the key paths of the elements of the composite attribute to which a key path leads; empty for any other key
  /// path.
  /// - Throws: 134060 for an unknown entity.
  package func elements(of keyPath: String, in name: String) throws -> [String] {
    let (entity, rest) = end(of: keyPath, from: try entity(named: name))
    let keyPaths = entity.columns.compactMap { column -> String? in
      if case .attribute(let attribute) = column, attribute.keyPath.hasPrefix(rest + ".") {
        attribute.keyPath
      } else {
        nil
      }
    }
    return keyPaths.sorted().map { keyPath.dropLast(rest.count) + $0 }
  }

  /// Returns the object ID for a reference, to be used in predicates; nil for an unknown entity.
  package func objectID(of reference: InspectedReference) -> NSManagedObjectID? {
    guard let entity = schema?.entity(named: reference.entity) else { return nil }
    return NSManagedObjectID(entity: entity.entity, store: nil, key: reference.key)
  }

  /// Returns the names of an entity's to-many relationships.
  package func toManyNames(of name: String) throws -> [String] { try entity(named: name).toManys.keys.sorted() }

  /// Calls `body` with each row: the object, then the value of each column.
  /// - Throws: 134060 for an unknown entity or key path, for a predicate that SQL cannot express, or for a pattern of MATCHES
  ///   that takes more than `patternSteps`; the file's errors.
  package func rows(of query: StoreQuery, _ body: ([InspectedValue]) throws -> Void) throws {
    let entity = try entity(named: query.entity)
    let fetch = try statement(query)
    let attributes = [nil] + query.columns.map { attribute(at: $0, of: entity) }
    let statement = try connection.statement(fetch.statement.text)
    statement.bind(fetch.statement.bindings)
    statement.begin()
    defer { statement.reset() }
    while try limited(statement.step) {
      var row: [InspectedValue] = []
      var column: Int32 = 0
      for (kind, attribute) in zip(fetch.kinds, attributes) {
        if case .key(let root) = kind {
          // A key is followed by the number of its entity.
          let fallback = schema?.entity(number: root) ?? entity
          row.append(reference(statement, key: column, entity: column + 1, fallback: fallback))
          column += 2
        } else {
          row.append(try attribute.map { try value(of: $0, statement, column) } ?? statement.rawValue(column))
          column += 1
        }
      }
      try body(row)
    }
  }

  /// Returns the number of objects that the query finds, with its limit and offset.
  package func count(_ query: StoreQuery) throws -> Int {
    let counting = try statement(query, isCount: true).statement
    let statement = try connection.statement(counting.text)
    statement.bind(counting.bindings)
    statement.begin()
    defer { statement.reset() }
    return try limited(statement.step) ? Int(statement.int(0)) : 0
  }

  /// The approximate number of steps that a pattern of MATCHES may take for one string; that many take seconds. Patterns such
  /// as `(a+)+b` take twice as many steps for each additional letter.
  package static let patternSteps = 50_000_000

  /// Limits the steps of patterns, because a user who types a predicate waits for its answer.
  private func limited<Value>(_ body: () throws -> Value) throws -> Value {
    try EvaluationLimit.run(Self.patternLimit, body)
  }

  private static let patternLimit = EvaluationLimit(patternSteps: patternSteps)

  /// Returns the statement that answers a query, and SQLite's plan for it.
  package func explain(_ query: StoreQuery, isCount: Bool = false) throws -> ExplainedQuery {
    let fetch = try statement(query, isCount: isCount).statement
    let plan = try connection.plan(of: fetch.text, fetch.bindings)
    return ExplainedQuery(sql: fetch.text, bindings: fetch.bindings.map(\.literal), sqlitePlan: plan)
  }

  /// - Throws: 134060 with the names of the entities that exist.
  func entity(named name: String) throws -> SQLEntity {
    let schema = try requiredSchema()
    if let entity = schema.entity(named: name) { return entity }
    let known = schema.entities.map(\.name).sorted().joined(separator: ", ")
    throw NSError(
      coreData: NSCoreDataError, "The store \(url.path) has no entity “\(name)”. It has \(known).",
      [NSFilePathErrorKey: url.path])
  }

  private func statement(_ query: StoreQuery, isCount: Bool = false) throws -> SQLFetchStatement {
    var fetch = SQLFetch(model: try requiredSchema(), entity: try entity(named: query.entity))
    fetch.predicate = query.predicate
    fetch.sortDescriptors = query.sortDescriptors
    fetch.limit = query.limit
    fetch.offset = query.offset
    fetch.includesSubentities = query.includesSubentities
    let columns = [NSExpression.expressionForEvaluatedObject()] + query.columns.map { NSExpression(forKeyPath: $0) }
    // These names cannot be those of sort keys.
    let values = columns.enumerated().map { SQLFetchedValue(name: "\($0.offset) ", expression: $0.element) }
    fetch.result = isCount ? .count : .values(values, groupBy: [], having: nil)
    return try fetch.statement()
  }

  /// Returns the attribute with which a key path ends; nil if the key path ends with something else.
  private func attribute(at keyPath: String, of entity: SQLEntity) -> NSAttributeDescription? {
    let (entity, name) = end(of: keyPath, from: entity)
    return entity.attribute(named: name)?.attribute
  }

  /// Returns the entity to which the to-one relationships of a key path lead, and the rest of the key path.
  private func end(of keyPath: String, from start: SQLEntity) -> (entity: SQLEntity, rest: String) {
    var (entity, rest) = (start, keyPath)
    while entity.attribute(named: rest) == nil {
      let parts = rest.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let schema, let toOne = entity.toOne(named: String(parts[0])) else { break }
      (entity, rest) = (schema.destination(of: toOne), String(parts[1]))
    }
    return (entity, rest)
  }
}
