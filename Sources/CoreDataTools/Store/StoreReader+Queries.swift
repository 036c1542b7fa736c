import CommandSupport
import Foundation
import OpenCocoaFoundation
import OpenCoreData

extension StoreReader {
  /// Calls `body` with each object of a query and the values of its columns. A composite attribute has a value for each
  /// element: see ``columns(of:)``.
  ///
  /// Rows are read one after the other, and the store stays open while `body` runs.
  /// - Throws: what `body` throws; a ``PredicateMistake``; a `ToolError` for unknown entities and key paths.
  public func rows(of query: ObjectQuery, _ body: (ObjectReference, [StoreValue]) throws -> Void) throws {
    try asking { store in
      var asked = try storeQuery(query, store)
      asked.columns = try query.columns.flatMap { try QueryColumn($0, of: query.entity, in: store).keyPaths }
      try locating(query, store) {
        try store.rows(of: asked) { row in
          try checkCancellation()
          guard case .object(let reference) = row.first else { return }
          do {
            try body(ObjectReference(reference), row.dropFirst().map(StoreValue.init))
          } catch { throw Foreign(error: error) }
        }
      }
    }
  }

  /// Returns the key paths of the values that ``rows(of:_:)`` returns: those of the query, with a composite attribute replaced
  /// by its elements.
  public func columns(of query: ObjectQuery) throws -> [String] {
    try asking { store in
      try query.columns.flatMap { try QueryColumn($0, of: query.entity, in: store).keyPaths }
    }
  }

  /// Returns the number of objects that a query finds, with limit and offset applied.
  public func count(of query: ObjectQuery) throws -> Int {
    try asking { store in
      let asked = try storeQuery(query, store)
      return try locating(query, store) { try store.count(asked) }
    }
  }

  /// Returns the database's plan for a query, with the indexes that the plan uses and those that are missing.
  ///
  /// SQLite does not run the query for this; a server runs it once.
  /// - Parameters:
  ///   - query: The query.
  ///   - countsRows: Whether to count the rows that the query finds, which takes about as long as the query.
  public func explain(_ query: ObjectQuery, countsRows: Bool) throws -> ExplainReport {
    try asking { store in
      var asked = try storeQuery(query, store)
      // A fetch reads whole rows, which an index alone does not have.
      asked.columns = try store.valueColumns(of: query.entity)
      return try locating(query, store) {
        try ExplainReport(asked, of: store, isCount: false, countsRows: countsRows)
      }
    }
  }

  /// Returns the entities that have objects of their own, in the order of the store. If `name` is given, only this entity and
  /// its subentities are considered.
  public func concreteEntities(of name: String? = nil) throws -> [String] {
    try asking { try $0.concreteEntities(of: name) }
  }

  /// Returns the key paths of an entity's own values: its attributes, then its to-one relationships, each sorted.
  public func valueColumns(of entity: String) throws -> [String] { try asking { try $0.valueColumns(of: entity) } }

  /// Returns the to-many relationships of an entity, sorted.
  public func toManyNames(of entity: String) throws -> [String] { try asking { try $0.toManyNames(of: entity) } }

  /// Runs `body`. If the store refuses a key of the predicate, a ``PredicateMistake`` with the place of the key is thrown.
  func locating<Result>(
    _ query: ObjectQuery, _ store: any QueriedStore, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as NSError where error.localizedDescription.hasPrefix("keypath ") {
      if let text = query.predicate, let model = store.model,
        let mistake = PredicateCompletion.unknownKey(in: text, query.entity, model)
      {
        throw mistake
      }
      throw error
    }
  }

  /// Returns the query in the form in which it is passed to the store.
  func storeQuery(_ query: ObjectQuery, _ store: any QueriedStore) throws -> StoreQuery {
    // Throws for an unknown entity, before its properties are looked at.
    _ = try store.toManyNames(of: query.entity)
    var asked = StoreQuery(entity: query.entity)
    if let text = query.predicate, !text.allSatisfy(\.isWhitespace) {
      asked.predicate = try StoreQuery.predicate(text, of: query.entity, in: store)
    }
    asked.sortDescriptors = query.sort.map { NSSortDescriptor(key: $0.keyPath, ascending: $0.ascending) }
    (asked.limit, asked.offset) = (query.limit, query.offset)
    asked.includesSubentities = query.includesSubentities
    return asked
  }
}
