import Synchronization

/// An entity as a store keeps it: its number, its table and its columns.
///
/// Everything is computed once, most of it when the `SQLModel` is made, and never changes.
package final class SQLEntity: Sendable {
  package let entity: NSEntityDescription
  package let name: String
  /// The number that the store's rows carry.
  package let number: Int
  /// The entity that this one inherits from.
  package let superentity: SQLEntity?
  /// The table of the root entity, which holds the rows of all entities that inherit from it.
  package let tableName: String
  /// The numbers of this entity and of all that inherit from it, ascending.
  package let numbers: [Int]
  /// Whether rows of more than one entity live in the table.
  package let sharesTable: Bool
  /// The columns of the entity's rows. The superentity's columns come first, then the entity's own attributes in the
  /// order of the table's columns, then its own to-one relationships by name.
  package let columns: [SQLColumn]
  /// The position of each column in `columns` by the property's name.
  package let positions: [String: Int]
  /// The to-many relationships, inherited ones included, by name.
  package let toManys: [String: SQLToMany]
  /// The columns of all entities of the store, by their numbers less one.
  private let columnsOfAll: [[SQLColumn]]
  /// The names of the columns that every table has.
  package let fixed: SQLFixedColumns
  private let knownRowLayout = Mutex<SQLRowLayout?>(nil)

  package init(
    entity: NSEntityDescription, number: Int, superentity: SQLEntity?, tableName: String, numbers: [Int],
    sharesTable: Bool, columns: [SQLColumn], toManys: [String: SQLToMany], columnsOfAll: [[SQLColumn]],
    fixed: SQLFixedColumns
  ) {
    self.entity = entity
    self.name = entity.name ?? ""
    self.number = number
    self.superentity = superentity
    self.tableName = tableName
    self.numbers = numbers
    self.sharesTable = sharesTable
    self.columns = columns
    self.positions = Dictionary(
      columns.enumerated().map { ($1.propertyName, $0) }, uniquingKeysWith: { first, _ in first })
    self.toManys = toManys
    self.columnsOfAll = columnsOfAll
    self.fixed = fixed
  }

  /// The layout for reading a row that may be of any subentity. It is made on first use: along a long chain of
  /// inheritance, the layouts of all entities would need memory that grows with the cube of the chain's length.
  package var rowLayout: SQLRowLayout {
    knownRowLayout.withLock { known in
      if let known { return known }
      let layout = SQLRowLayout(numbers.map { ($0, columnsOfAll[$0 - 1]) })
      known = layout
      return layout
    }
  }

  /// The entity at the top of the chain of inheritance.
  package var root: SQLEntity {
    var entity = self
    while let parent = entity.superentity { entity = parent }
    return entity
  }

  /// Whether other entities inherit from this one.
  package var hasSubentities: Bool { numbers.count > 1 }

  /// Whether a statement must distinguish the entity's rows from other rows of the table.
  package func needsEntityFilter(includingSubentities: Bool) -> Bool {
    includingSubentities ? superentity != nil : sharesTable
  }

  /// The attribute of the given name; `a.b` names an element of a composite attribute.
  package func attribute(named name: String) -> SQLAttribute? {
    guard let position = positions[name], case .attribute(let attribute) = columns[position] else { return nil }
    return attribute
  }

  /// The elements with columns of a composite attribute, given by its name or key path; empty for any other name.
  package func elements(ofComposite name: String) -> [SQLAttribute] {
    columns.compactMap { column in
      guard case .attribute(let attribute) = column, attribute.keyPath.hasPrefix(name + ".") else { return nil }
      return attribute
    }
  }

  /// The to-one relationship of the given name.
  package func toOne(named name: String) -> SQLToOne? {
    guard let position = positions[name], case .toOne(let toOne) = columns[position] else { return nil }
    return toOne
  }

  /// The meaning of a property's name in the entity; nil for a transient, fetched or unknown property.
  package func property(named name: String) -> SQLProperty? {
    if let position = positions[name] {
      switch columns[position] {
      case .attribute(let attribute): return .attribute(attribute)
      case .toOne(let toOne): return .toOne(toOne)
      }
    }
    return toManys[name].map(SQLProperty.toMany)
  }
}
