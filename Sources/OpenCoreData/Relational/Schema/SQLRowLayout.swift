/// How one statement reads full rows of an entity and its subentities.
///
/// The statement reads the columns of the entity, and then for each subentity, depth first, the columns that it adds. For an
/// entity without subentities these are just its own columns.
package struct SQLRowLayout: Sendable {
  /// The columns after those that every table has, in the order in which they are read.
  package let columnNames: [String]

  /// For each entity number, where in `columnNames` the names of the entity's columns stand: the names of
  /// `SQLEntity.columns`, one after the other.
  package let positions: [Int: [Int]]

  /// The layout for entities given as (number, columns), an entity before those that inherit from it.
  package init(_ entities: [(number: Int, columns: [SQLColumn])]) {
    var names: [String] = []
    var indices: [String: Int] = [:]
    var positions: [Int: [Int]] = [:]
    for (number, columns) in entities {
      positions[number] = columns.flatMap(\.names).map { name in
        if let known = indices[name] { return known }
        indices[name] = names.count
        names.append(name)
        return names.count - 1
      }
    }
    columnNames = names
    self.positions = positions
  }

  /// Only the given entity's columns.
  package init(_ entity: SQLEntity) {
    self.init([(entity.number, entity.columns)])
  }
}
