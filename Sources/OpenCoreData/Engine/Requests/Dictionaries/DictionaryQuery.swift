import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The columns of a request for dictionaries, with properties of the context's own model.
@_spi(Store) public struct DictionaryQuery {
  package let columns: [DictionaryColumn]
  package let groups: [NSExpression]
  package let having: NSPredicate?
  package let isDistinct: Bool
  /// The names of fetched columns that sort descriptors may use: names that are not those of the entity's properties.
  package let sortNames: Set<String>
  /// The request's own lists, for a store that executes it itself.
  private let given: (fetched: [Any]?, groups: [Any]?)

  /// Gives nil for a request with another result type.
  /// - Throws: 134060, naming entity and property, for properties that do not fit the entity or each other.
  package init?(_ request: some AnyFetchRequest, of layout: EntityLayout) throws {
    guard request.resultType == .dictionaryResultType else {
      guard request.propertiesToGroupBy?.isEmpty ?? true else {
        throw Self.error("Invalid fetch request: GROUP BY requires NSDictionaryResultType (entity \(layout.name))")
      }
      if request.havingPredicate != nil { throw Self.havingError(layout) }
      if let properties = request.propertiesToFetch { try Self.checkPartial(properties, layout) }
      return nil
    }
    let resolver = DictionaryResolver(
      layout: layout, isGrouped: request.propertiesToGroupBy?.isEmpty == false)
    let columns = try request.propertiesToFetch.map(resolver.columns) ?? resolver.allAttributes
    guard !columns.isEmpty else {
      throw Self.error("Invalid fetch request: there is no property to fetch (entity \(layout.name))")
    }
    self.columns = columns
    groups = try resolver.groups(request.propertiesToGroupBy ?? [], columns)
    having = request.havingPredicate
    isDistinct = request.returnsDistinctResults
    sortNames = Set(columns.map(\.name).filter { layout.slot(named: $0) == nil })
    given = (request.propertiesToFetch, request.propertiesToGroupBy)
    if having != nil, groups.isEmpty { throw Self.havingError(layout) }
    try check(layout)
  }

  /// Whether all rows together give one dictionary.
  package var isOfAllRows: Bool { groups.isEmpty && columns.contains { $0.expression.containsAggregate } }

  /// Whether each dictionary depends on one row only, and not on the other rows.
  package var isOfSingleRows: Bool { groups.isEmpty && !isDistinct && !isOfAllRows }

  /// The column of that name.
  package func column(named name: String) -> DictionaryColumn? { columns.first { $0.name == name } }

  /// Sets up a request with the same columns and groups.
  package func complete(_ request: NSFetchRequest<any NSFetchRequestResult>) {
    guard request.resultType == .dictionaryResultType else { return }
    request.propertiesToFetch = given.fetched
    request.propertiesToGroupBy = given.groups
    request.havingPredicate = having
    request.returnsDistinctResults = isDistinct
  }

  package static func error(_ reason: String) -> NSError {
    NSError(coreData: NSCoreDataError, reason, ["reason": reason])
  }

  /// A fetch of objects always reads whole objects, but the properties that it names must exist.
  private static func checkPartial(_ properties: [Any], _ layout: EntityLayout) throws {
    _ = try DictionaryResolver(layout: layout).columns(properties)
    if let computed = properties.lazy.compactMap({ $0 as? NSExpressionDescription }).first {
      throw error(
        "Invalid property (\(computed.name)) passed to setPropertiesToFetch: (entity \(layout.name)): an expression needs "
          + "NSDictionaryResultType")
    }
  }

  private static func havingError(_ layout: EntityLayout) -> NSError {
    error("Invalid fetch request: HAVING requires GROUP BY, which propertiesToGroupBy says (entity \(layout.name))")
  }
}

/// One entry of the dictionaries that a fetch gives.
package struct DictionaryColumn {
  /// The key of the entry.
  package let name: String
  package let expression: NSExpression
  /// The attribute or to-one relationship whose value the entry has; nil if the value is computed.
  package var slot: PropertySlot?
  /// The type that a computed value is converted to; undefined for no conversion.
  package var resultType = NSAttributeType.undefinedAttributeType
}
