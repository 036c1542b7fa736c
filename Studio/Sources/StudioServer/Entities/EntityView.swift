import CoreDataTools
import Foundation
import Hummingbird

/// The choice of an entity's objects that a page shows. The whole choice is in the page's address, so that the address can be
/// sent, reloaded and returned to.
struct EntityView: Sendable, Equatable {
  let store: String
  let entity: String
  /// A predicate as it was typed; nil for all objects.
  var predicate: String?
  var sort: [ObjectQuery.Sort] = []
  /// The key paths of the columns; empty for the entity's own values.
  var columns: [String] = []
  /// The number of objects before the first one shown.
  var offset = 0
  var includesSubentities = true

  /// The number of objects on a page.
  static let pageSize = 100

  init(store: String, entity: String) { (self.store, self.entity) = (store, entity) }

  init(_ request: Request, _ context: some RequestContext) throws {
    guard let store = context.parameters.get("store"), let entity = context.parameters.get("entity") else {
      throw StudioError.notFound("The address names no entity.")
    }
    self.init(store: store, entity: entity)
    func text(_ name: String) -> String? {
      request.parameter(name).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    predicate = text("where")
    sort = Self.list(text("sort")).map {
      $0.hasPrefix("-") ? .init(String($0.dropFirst()), ascending: false) : .init($0)
    }
    columns = Self.list(text("columns"))
    includesSubentities = text("own") == nil
    if let from = text("from") {
      guard let number = Int(from), number >= 0 else {
        throw StudioError(.badRequest, "The place is no number", "Expected 0 or more behind “from=”, not “\(from)”.")
      }
      offset = number
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Returns the query of the objects from `offset` on.
  func query(limit: Int = pageSize) -> ObjectQuery {
    ObjectQuery(
      entity: entity, predicate: predicate, sort: sort, columns: columns, limit: limit, offset: offset,
      includesSubentities: includesSubentities)
  }

  /// Returns the query of the view with the shown columns; if none were chosen, these are the entity's own values.
  func query(limit: Int = pageSize, in reader: StoreReader) throws -> ObjectQuery {
    var query = query(limit: limit)
    if query.columns.isEmpty { query.columns = try reader.valueColumns(of: entity) }
    return query
  }

  // MARK: Addresses

  var path: String { Link.entity(store, entity) }

  /// Returns the address of this view, or of a page about it.
  /// - Parameter page: The end of the path of a page about the view, such as `/explain`.
  func link(_ page: String = "") -> String {
    Link.query(
      path + page,
      [
        ("where", predicate), ("sort", sort.isEmpty ? nil : sortText), ("columns", columns.isEmpty ? nil : columnText),
        ("own", includesSubentities ? nil : "1"), ("from", offset == 0 ? nil : String(offset)),
      ])
  }

  var sortText: String { sort.map { ($0.ascending ? "" : "-") + $0.keyPath }.joined(separator: ",") }
  var columnText: String { columns.joined(separator: ",") }

  func with(_ change: (inout EntityView) -> Void) -> EntityView {
    var view = self
    change(&view)
    return view
  }

  /// Returns the view with the order that a click on a column's title gives: ascending, then descending, then none.
  func sorted(by keyPath: String) -> EntityView {
    with { view in
      view.offset = 0
      if view.sort.first?.keyPath == keyPath {
        view.sort = view.sort[0].ascending ? [.init(keyPath, ascending: false)] : []
      } else {
        view.sort = [.init(keyPath)]
      }
    }
  }
}
