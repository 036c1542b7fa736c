/// The columns of the properties that an entity itself declares, without inherited ones.
package struct DeclaredColumns {
  package let attributes: [SQLAttribute]
  package let toOnes: [SQLToOne]

  package var columns: [SQLColumn] { attributes.map(SQLColumn.attribute) + toOnes.map(SQLColumn.toOne) }

  /// The columns of the given entities, which come in the order of their numbers.
  package static func all(
    of order: [NSEntityDescription], numbers: [ObjectIdentifier: Int], _ dialect: any SQLDialect
  ) -> [DeclaredColumns] {
    let naming = dialect.naming
    // The names of the columns that every table has.
    let others = SQLNames(taken: dialect.columns.all, ignoresCase: naming.ignoresCase)
    var names = others
    return order.map { entity in
      if entity.superentity == nil { names = others }
      return DeclaredColumns(entity, numbers: numbers, naming, names: &names)
    }
  }

  private init(
    _ entity: NSEntityDescription, numbers: [ObjectIdentifier: Int], _ naming: any SQLNaming, names: inout SQLNames
  ) {
    let inherited = entity.superentity?.propertiesByName ?? [:]
    let own = entity.declaredProperties.filter { !$0.isTransient && inherited[$0.name] == nil }
      .sorted { $0.name < $1.name }
    var attributes: [(attribute: SQLAttribute, group: Int)] = []
    for case let attribute as NSAttributeDescription in own {
      let leaves = (attribute as? NSCompositeAttributeDescription)?.leaves ?? [([], attribute)]
      for (path, leaf) in leaves {
        guard let kind = leaf.columnKind else { continue }
        let keyPath = [attribute.name] + path
        let column = SQLAttribute(
          attribute: leaf, keyPath: keyPath.joined(separator: "."),
          columnName: names.unique(naming.column(of: keyPath)), type: kind.type)
        attributes.append((column, kind.group))
      }
    }
    self.attributes = attributes.enumerated()
      .sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }.map(\.element.attribute)
    toOnes = own.compactMap { property in
      guard let relationship = property as? NSRelationshipDescription, !relationship.isToMany,
        let destination = relationship.destinationEntity, let number = numbers[ObjectIdentifier(destination)]
      else { return nil }
      let key = names.unique(naming.key(of: relationship.name))
      let root = numbers[ObjectIdentifier(destination.rootEntity)] ?? number
      let isOrdered = relationship.orderedList != nil
      return SQLToOne(
        relationship: relationship, destinationNumber: number, keyColumn: key,
        entityColumn: destination.subentities.isEmpty
          ? nil : names.unique(naming.entityNumber(besides: key, root: root)),
        orderColumn: isOrdered ? names.unique(naming.place(besides: key)) : nil)
    }
  }

  /// Returns the columns of a table in the order of Apple's files: first the integers and keys of each entity in turn,
  /// then the order columns of all entities, then each of the other groups of types, through all entities.
  /// - Parameter owners: for each part the columns with the owners of its rows. It is not known whether Apple's files
  ///   have these columns behind the other keys, as here, or in the order of names.
  package static func tableColumns(
    _ parts: [DeclaredColumns], owners: [[SQLOwnerColumn]]
  ) -> [(name: String, type: SQLColumnType)] {
    var result: [(name: String, type: SQLColumnType)] = []
    for (part, owners) in zip(parts, owners) {
      for attribute in part.attributes where attribute.attribute.columnKind?.group == 1 {
        result.append((attribute.columnName, attribute.type))
      }
      for toOne in part.toOnes {
        result.append((toOne.keyColumn, .key))
        if let column = toOne.entityColumn { result.append((column, .entityNumber)) }
      }
      for owner in owners { result.append((owner.keyColumn, .key)) }
    }
    result += parts.flatMap(\.toOnes).compactMap(\.orderColumn).map { ($0, .position) }
    result += owners.joined().compactMap(\.orderColumn).map { ($0, .position) }
    for group in 3...8 {
      for attribute in parts.flatMap(\.attributes) where attribute.attribute.columnKind?.group == group {
        result.append((attribute.columnName, attribute.type))
      }
    }
    return result
  }
}
