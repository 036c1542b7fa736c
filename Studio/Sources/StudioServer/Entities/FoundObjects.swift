import CommandSupport
import CoreDataTools

/// The objects of a page: their rows, their total number if it is known, and the columns that can be chosen.
struct FoundObjects: Sendable {
  /// The number of objects in the whole view.
  enum Total: Sendable {
    case exactly(Int)
    /// The objects were not all counted.
    case moreThan(Int)
  }

  let table: ObjectTable
  let total: Total
  let choices: [String]

  /// A page counts up to this number of objects itself, which takes about a millisecond.
  private static let counted = 10_000

  /// - Parameter known: The number of all objects, if they were counted before and the store has not changed since.
  init(_ view: EntityView, _ reader: StoreReader, known: Int?) throws {
    let size = EntityView.pageSize
    var query = try view.query(in: reader)
    // One row more than the page shows tells whether a next page exists.
    query.limit = size + 1
    var rows: [(ObjectReference, [StoreValue])] = []
    try reader.rows(of: query) { rows.append(($0, $1)) }
    if rows.count <= size, view.offset == 0 || !rows.isEmpty {
      total = .exactly(view.offset + rows.count)
    } else if let known {
      total = .exactly(known)
    } else {
      total = try Self.bounded(view, query, rows.count, reader)
    }
    table = ObjectTable(view, try reader.columns(of: query), Array(rows.prefix(size)), model: reader.model)
    choices = try reader.valueColumns(of: view.entity) + reader.toManyNames(of: view.entity).map { $0 + ".@count" }
  }

  private static func bounded(
    _ view: EntityView, _ query: ObjectQuery, _ rows: Int, _ reader: StoreReader
  ) throws -> Total {
    let least = max(view.offset + rows - 1, 0)
    var all = query
    (all.limit, all.offset) = (0, 0)
    // A page after the end shows no rows, only the exact number of objects.
    if rows == 0 { return .exactly(try reader.count(of: all)) }
    // If a predicate matches few of many objects, counting even a few matches can take as long as counting all of them.
    guard view.predicate == nil, least < counted else { return .moreThan(least) }
    all.limit = counted + 1
    let number = try reader.count(of: all)
    return number > counted ? .moreThan(counted) : .exactly(number)
  }

  func content(_ view: EntityView, _ time: String) -> [String: Any] {
    let size = EntityView.pageSize
    var content: [String: Any] = [
      "table": table, "rowsHTML": table.html, "time": time, "isEmpty": table.rows.isEmpty, "pageSize": size,
      "offset": view.offset,
    ]
    if !table.rows.isEmpty {
      content["range"] = [
        "first": FigureText.grouped(view.offset + 1), "last": FigureText.grouped(view.offset + table.rows.count),
      ]
    }
    func link(_ offset: Int) -> [String: String] { ["link": view.with { $0.offset = offset }.link()] }
    if view.offset > 0 {
      content["first"] = link(0)
      content["previous"] = link(max(view.offset - size, 0))
    }
    switch total {
    case .exactly(let number):
      (content["total"], content["totalText"]) = (number, FigureText.grouped(number))
      if view.offset + size < number {
        content["next"] = link(view.offset + size)
        content["last"] = link((number - 1) / size * size)
      }
    case .moreThan(let number):
      // The number −1 tells assistive technology that the number of rows is not known.
      (content["total"], content["totalText"]) = (-1, "more than " + FigureText.grouped(number))
      content["isUncounted"] = true
      content["next"] = link(view.offset + size)
    }
    return content
  }
}
