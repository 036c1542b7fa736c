import CSQLite
import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

// Sections by one statement that groups rows, without reading any.
extension NSManagedObjectContext {
  /// The section names of a fetch with the number of objects of each, in order, without objects that are pending; nil where
  /// only the objects can tell: where there is a limit, where there is not exactly one store, a SQLite one, where the key path
  /// is not the first sort key, an attribute of the entity or one that to-one relationships lead to, or where what those
  /// lead to or a context above has changes.
  ///
  /// Reads in the transaction that the fetch has begun, so it tells of the same rows.
  /// - Parameter pending: the context's own changed objects of the fetch's entity.
  final func sectionGroups(
    _ fetch: TrackedFetch, _ keyPath: String, without pending: ContiguousArray<NSManagedObject> = []
  ) throws -> [(name: SectionName, count: Int)]? {
    guard changed.isEmpty || !keyPath.contains("."), !ancestorsHaveChanges, fetch.target.limit == 0,
      fetch.target.offset == 0,
      let first = fetch.target.sortDescriptors.first, first.key == keyPath, first.selector == "compare:",
      !fetch.target.layout.hasAccessors(along: keyPath),
      let attribute = fetch.target.layout.entity.attribute(atKeyPath: keyPath),
      let reader = SectionValueReader(attribute)
    else { return nil }
    let stores = try requiredCoordinator().persistentStores.filter { store in
      store.holds(fetch.target.layout.entity) && sees(store) && fetch.affectedStores?.contains { $0 === store } ?? true
    }
    guard stores.count == 1, let store = stores[0] as? SQLiteStore else { return nil }
    var target = fetch.target
    let hidden = PendingChanges(own: pending, above: nil).hiddenKeys(in: store)
    if !hidden.isEmpty { target.rows = .without(hidden) }
    var groups: [(name: SectionName, count: Int)] = []
    try store.selectGroups(target, by: keyPath, first, transaction: readTransaction(on: store)) { statement in
      let name = SectionName(value: reader.value(statement))
      let count = Int(statement.int(1))
      // NULL and an empty text are one name.
      if groups.last?.name == name {
        groups[groups.count - 1].count += count
      } else {
        groups.append((name, count))
      }
    }
    return groups
  }
}

extension EntityLayout {
  /// Whether a class of the model has a custom accessor of one of the keys: only objects tell what that gives.
  fileprivate func hasAccessors(along keyPath: String) -> Bool {
    let keys = keyPath.keysOfPath
    return entity.managedObjectModel.entities.contains { entity in
      keys.contains { entity.layout.listed.accessors[$0] != nil }
    }
  }
}

extension SQLiteStore {
  /// For each value of a key path, the number of rows that have it, in the order that the sort descriptor gives the values.
  fileprivate func selectGroups(
    _ target: FetchTarget, by keyPath: String, _ order: NSSortDescriptor, transaction: ReadTransaction,
    _ body: (SQLiteStatement) throws -> Void
  ) throws {
    var fetch = SQLFetch(model: schema, entity: try entity(target.layout.entity))
    fetch.predicate = target.predicate
    fetch.sortDescriptors = [order]
    fetch.includesSubentities = target.includesSubentities
    fetch.rows = target.rows
    let value = NSExpression(forKeyPath: keyPath)
    let count = NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
    fetch.result = .values(
      [SQLFetchedValue(name: "section", expression: value), SQLFetchedValue(name: "objects", expression: count)],
      groupBy: [value], having: nil)
    let made = try fetch.statement().statement
    try transaction.read(latest: false) { connection, _ in
      let statement = try connection.statement(made.text)
      statement.bind(made.bindings)
      try collect(statement, body)
    }
  }
}

/// Reads the value of an attribute from the first column of a statement, as the attribute's accessor gives it.
private struct SectionValueReader {
  private let type: NSAttributeType

  /// Nil for types whose values do not make names that a person would read, or that SQLite groups in another way.
  init?(_ attribute: NSAttributeDescription) {
    switch attribute.attributeType {
    case .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .dateAttributeType:
      type = attribute.attributeType
    default: return nil
    }
  }

  func value(_ statement: SQLiteStatement) -> Any? {
    if statement.isNull(0) { return nil }
    switch type {
    case .stringAttributeType: return statement.string(0)
    case .booleanAttributeType: return NSNumber(value: statement.int(0) != 0)
    case .doubleAttributeType: return NSNumber(value: sqlite3_column_double(statement.handle, 0))
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement.handle, 0))
    default: return NSNumber(value: statement.int(0))
    }
  }
}

extension NSEntityDescription {
  /// The stored attribute that a key path through to-one relationships leads to.
  fileprivate func attribute(atKeyPath keyPath: String) -> NSAttributeDescription? {
    var entity: NSEntityDescription? = self
    var keys = keyPath.split(separator: ".").map(String.init)
    guard let last = keys.popLast() else { return nil }
    for key in keys {
      guard let relationship = entity?.relationshipsByName[key], !relationship.isToMany else { return nil }
      entity = relationship.destinationEntity
    }
    guard let attribute = entity?.attributesByName[last], !attribute.isTransient else { return nil }
    return attribute
  }
}
