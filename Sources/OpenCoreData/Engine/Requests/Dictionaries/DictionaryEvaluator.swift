import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Answers a request for dictionaries in memory, from objects or from the nodes of a store that is in memory.
package struct DictionaryEvaluator {
  package let query: DictionaryQuery
  package let order: [NSSortDescriptor]
  package let offset: Int
  package let limit: Int

  package init(_ query: DictionaryQuery, _ target: FetchTarget) {
    self.query = query
    order = target.sortDescriptors
    offset = target.offset
    limit = target.limit
  }

  /// The dictionaries of rows that match the request's predicate.
  /// - Throws: 134060 for an expression that has no value for one of the rows; errors of an attribute's transformer,
  ///   where transformable values are compared.
  package func dictionaries(_ rows: [NSObject & NSKeyValueCoding]) throws -> [[String: Any]] {
    try SQLLoweringError.evaluating(query.having) { try evaluated(rows) }
  }

  private func evaluated(_ rows: [NSObject & NSKeyValueCoding]) throws -> [[String: Any]] {
    var groups = try grouped(rows)
    if let having = query.having { groups = try groups.filter { try $0.satisfies(having) } }
    if !order.isEmpty { groups = try groups.checkedSorted(by: order) }
    var result: [[String: Any]] = []
    var known: Set<[SQLValue]> = []
    for group in groups {
      if query.isDistinct {
        let key = try query.columns.map { try Self.key(of: try group.plainValue($0.expression), $0.slot) }
        guard known.insert(key).inserted else { continue }
      }
      result.append(try group.dictionary())
    }
    if offset > 0 { result.removeFirst(min(offset, result.count)) }
    if limit > 0, result.count > limit { result.removeLast(result.count - limit) }
    return result
  }

  private func grouped(_ rows: [NSObject & NSKeyValueCoding]) throws -> [DictionaryGroup] {
    if query.isOfAllRows { return [DictionaryGroup(query, rows)] }
    if query.groups.isEmpty { return rows.map { DictionaryGroup(query, [$0]) } }
    var places: [[SQLValue]: Int] = [:]
    var members: [[NSObject & NSKeyValueCoding]] = []
    for row in rows {
      let single = DictionaryGroup(query, [row])
      let key = try query.groups.map { expression in
        let slot = query.columns.first { $0.expression === expression }?.slot
        return try Self.key(of: try single.plainValue(expression), slot)
      }
      if let place = places[key] {
        members[place].append(row)
      } else {
        places[key] = members.count
        members.append([row])
      }
    }
    return members.map { DictionaryGroup(query, $0) }
  }

  /// The key by which values are compared: equal numbers of different types have the same key, and strings are compared
  /// by their bytes.
  private static func key(of value: Any?, _ slot: PropertySlot?) throws -> SQLValue {
    guard let value = StoredValue.unwrapped(value) else { return .null }
    switch Operand(value) {
    case .null: return .null
    case .number(let number):
      if case .real(let real) = SQLValue(number), let integer = Int64(exactly: real) { return .integer(integer) }
      return SQLValue(number)
    case .date(let seconds): return .real(seconds)
    case .string(let text): return .text(text)
    case .uuid(let uuid): return SQLValue(uuid)
    case .data(let data): return .blob(data)
    case .object(let object as NSManagedObjectID): return .text(object.uriRepresentation().absoluteString)
    case .object(let object as any PredicateIdentity):
      return try key(of: object.predicateIdentity, nil)
    case .collection, .dictionary, .object, .other:
      guard let slot, slot.kind == .transformable else { return .text(ValueText.of(value)) }
      return .blob(try slot.attribute.transformedBytes(of: value))
    }
  }
}
