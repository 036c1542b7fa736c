import CSQLite
import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension SQLiteStore {
  func countGroups(
    _ target: FetchTarget, by keyPath: String, of attribute: NSAttributeDescription, _ order: NSSortDescriptor,
    transaction: ReadTransaction, _ body: (_ value: Any?, _ count: Int) throws -> Void
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
    let groups = try readFiles(transaction, latest: false) { connection, _, _ in
      var groups: [(value: Any?, count: Int)] = []
      let statement = try connection.statement(made.text)
      statement.bind(made.bindings)
      try collect(statement) { row in groups.append((row.groupValue(of: attribute), Int(row.int(1)))) }
      return groups
    }
    for group in groups { try body(group.value, group.count) }
  }
}

extension SQLiteStatement {
  /// Returns the value of an attribute in the first column.
  fileprivate func groupValue(of attribute: NSAttributeDescription) -> Any? {
    if isNull(0) { return nil }
    switch attribute.attributeType {
    case .stringAttributeType: return string(0)
    case .booleanAttributeType: return NSNumber(value: int(0) != 0)
    case .doubleAttributeType: return NSNumber(value: sqlite3_column_double(handle, 0))
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(handle, 0))
    default: return NSNumber(value: int(0))
    }
  }
}
