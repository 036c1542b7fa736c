import CoreData
import CoreDataTools
import Foundation

/// Rows of objects as a page shows them.
struct ObjectTable: Sendable {
  struct Column: Sendable {
    let title: String
    let sortLink: String
    /// The direction of the order, for assistive technology and for the arrow: `ascending`, `descending` or nil.
    let direction: String?
    let isNumber: Bool
    /// Whether a database can sort rows by the column.
    let isSortable: Bool
  }

  struct Cell: Sendable {
    let text: String
    /// The page of the object that the cell refers to. It is not called “link”, because a template would use the row's link
    /// for cells without one.
    let target: String?
    let isNumber: Bool
    let isNone: Bool
    /// A date in UTC, which the page's script shows in the reader's zone.
    let date: String?
    /// The whole text, if the text is too long for a table.
    let whole: String?
  }

  struct Row: Sendable {
    let id: String
    let link: String
    /// The place of the row in the whole table, counted from 1.
    let number: Int
    let cells: [Cell]
  }

  let columns: [Column]
  let rows: [Row]

  /// The maximal number of characters in a cell.
  private static let longest = 160

  init(_ view: EntityView, _ names: [String], _ rows: [(ObjectReference, [StoreValue])], model: NSManagedObjectModel) {
    let secrets = SecretKeyPaths(view.entity, model)
    let numbers = names.indices.map { column in
      rows.contains { $0.1[column] != .null } && rows.allSatisfy { $0.1[column].isNumber }
    }
    columns = names.enumerated().map { index, name in
      let own = view.sort.first { $0.keyPath == name }
      return Column(
        title: name, sortLink: view.sorted(by: name).link(),
        direction: own.map { $0.ascending ? "ascending" : "descending" }, isNumber: numbers[index],
        isSortable: !name.contains("@"))
    }
    let isSecret = names.map(secrets.contains)
    self.rows = rows.enumerated().map { index, row in
      Row(
        id: row.0.description, link: Link.object(view.store, row.0.description), number: view.offset + index + 1,
        cells: row.1.enumerated().map { column, value in
          isSecret[column] && value != .null
            ? Cell(
              text: "•••", target: nil, isNumber: false, isNone: false, date: nil,
              whole: "The attribute is marked secret")
            : Self.cell(value, view.store, isNumber: numbers[column])
        })
    }
  }

  private static func cell(_ value: StoreValue, _ store: String, isNumber: Bool) -> Cell {
    var text = value.cell
    var whole: String?
    if text.count > longest {
      whole = String(text.prefix(4_000))
      text = text.prefix(longest) + "…"
    }
    var target: String?, date: String?
    if case .object(let reference) = value { target = Link.object(store, reference.description) }
    if case .date = value { date = value.plain }
    return Cell(text: text, target: target, isNumber: isNumber, isNone: value == .null, date: date, whole: whole)
  }
}
