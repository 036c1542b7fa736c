import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  /// Reads values of the objects of a class as tuples: attributes, or aggregates of groups.
  ///
  /// Where there are aggregates among the columns, the attributes are what the objects are grouped by, and there is a row for each
  /// group; without attributes there is one row for all objects. Objects are not made.
  ///
  /// ```swift
  /// let titles = try context.fetch(Entry.self, .value(\.title), .value(\.rating), where: #Predicate { $0.rating >= 4 })
  /// print(titles.map { title, _ in title ?? "" }.sorted())  // ["Tuesday", "Wednesday"]
  /// print(try context.fetch(Entry.self, .count, where: #Predicate { $0.rating >= 4 }))  // [2]
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30). Unsaved changes are not seen, as by every fetch of dictionaries.
  /// - Parameters:
  ///   - type: the class.
  ///   - first: the first column.
  ///   - others: the other columns, any number of them.
  ///   - predicate: what must hold of an object.
  ///   - limit: the greatest number of rows; 0 for any number.
  /// - Returns: a tuple for each row; for a single column its values. They have no order.
  /// - Throws: `OCDConversionError` for what a store cannot evaluate; 134060 for a value that the column's type does not have;
  ///   what ``fetch(_:)`` throws.
  public final func fetch<Object: NSManagedObject, First, each Value>(
    _ type: Object.Type, _ first: OCDColumn<Object, First>, _ others: repeat OCDColumn<Object, each Value>,
    where predicate: Predicate<Object>? = nil, limit: Int = 0
  ) throws -> [(First, repeat each Value)] {
    let request = NSFetchRequest<[String: Any]>(objectClass: type)
    request.predicate = try NSFetchRequest(type, predicate).predicate
    request.resultType = .dictionaryResultType
    request.fetchLimit = limit
    var descriptions: [NSExpressionDescription] = []
    var groups: [NSExpressionDescription] = []
    func add<One>(_ column: OCDColumn<Object, One>) throws {
      let description = NSExpressionDescription()
      description.name = Self.columnName(descriptions.count)
      description.expression = try ConversionLog.noting(type) { try column.expression() }
      description.expressionResultType = column.type
      descriptions.append(description)
      if !column.isAggregate { groups.append(description) }
    }
    try add(first)
    repeat try add(each others)
    request.propertiesToFetch = descriptions
    if groups.count < descriptions.count, !groups.isEmpty { request.propertiesToGroupBy = groups }
    return try fetch(request).map { row in
      var place = 0
      func next<One>(_ column: OCDColumn<Object, One>) throws -> One {
        defer { place += 1 }
        return try ColumnValue.read(row[Self.columnName(place)], as: One.self, "\(place + 1) of \(type)")
      }
      return (try next(first), repeat try next(each others))
    }
  }

  private static func columnName(_ place: Int) -> String { "column\(place + 1)" }
}
