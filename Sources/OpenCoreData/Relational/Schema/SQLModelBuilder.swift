/// Numbers entities by the rules of Apple's files, names tables and columns as the dialect says, and puts the schema together.
package struct SQLModelBuilder {
  private let dialect: any SQLDialect
  package let order: [NSEntityDescription]
  package let numbers: [ObjectIdentifier: Int]
  package let tableNames: [ObjectIdentifier: String]
  /// The columns that each entity declares itself, at the index of its number less one.
  package let declared: [DeclaredColumns]
  package let joins: [JoinLayout]
  /// The owner columns, by the number of the members' root entity.
  package let owners: [Int: [SQLOwnerColumn]]
  /// The index in `joins` of a relationship's table. Both ends of a relationship have the same index.
  private let joinPlaces: [ObjectIdentifier: Int]
  /// For each entity, by its number less one, the highest number among itself and its subentities.
  private let lastNumbers: [Int]

  package init(entities: [NSEntityDescription], dialect: any SQLDialect, existingColumns: (String) -> [String]?) {
    self.dialect = dialect
    let naming = dialect.naming
    order = Self.storeOrder(of: entities)
    numbers = Dictionary(
      order.enumerated().map { (ObjectIdentifier($1), $0 + 1) }, uniquingKeysWith: { first, _ in first })
    var tables: [ObjectIdentifier: String] = [:]
    var names = SQLNames(taken: naming.otherTables, ignoresCase: naming.ignoresCase)
    for entity in order where entity.superentity == nil {
      tables[ObjectIdentifier(entity)] = names.unique(naming.table(of: entity.name ?? ""))
    }
    tableNames = tables
    declared = DeclaredColumns.all(of: order, numbers: numbers, dialect)
    joins = JoinLayout.all(
      of: order, numbers: numbers, naming, names: names, existingColumns: existingColumns)
    joinPlaces = Self.places(of: joins)
    owners = SQLOwnerColumn.all(
      of: order, numbers: numbers, tableNames: tableNames, declared: declared, dialect,
      joins: Set(joins.map { ObjectIdentifier($0.relationship) }), existingColumns: existingColumns)
    lastNumbers = Self.lastNumbers(of: order, numbers)
  }

  private static func places(of joins: [JoinLayout]) -> [ObjectIdentifier: Int] {
    var places: [ObjectIdentifier: Int] = [:]
    for (place, join) in joins.enumerated() {
      for end in [join.relationship, join.relationship.otherEnd].compactMap({ $0 })
      where places[ObjectIdentifier(end)] == nil {
        places[ObjectIdentifier(end)] = place
      }
    }
    return places
  }

  private static func lastNumbers(of order: [NSEntityDescription], _ numbers: [ObjectIdentifier: Int]) -> [Int] {
    var last = Array(1...max(1, order.count))
    // Subentities follow their superentities in `order`, so in reverse order each number is final before the
    // superentity takes it.
    for (index, entity) in order.enumerated().reversed() {
      guard let above = entity.superentity.flatMap({ numbers[ObjectIdentifier($0)] }) else { continue }
      last[above - 1] = max(last[above - 1], last[index])
    }
    return last
  }

  /// Returns the given entities and their superentities: the roots by name without regard to case, each followed by its
  /// subentities.
  private static func storeOrder(of entities: [NSEntityDescription]) -> [NSEntityDescription] {
    var wanted: Set<ObjectIdentifier> = []
    var roots: [NSEntityDescription] = []
    for entity in entities {
      var candidate: NSEntityDescription? = entity
      while let current = candidate, wanted.insert(ObjectIdentifier(current)).inserted {
        if current.superentity == nil { roots.append(current) }
        candidate = current.superentity
      }
    }
    return roots.sorted(by: NSEntityDescription.precedesInStore)
      .flatMap { [$0] + $0.allSubentities }
      .filter { wanted.contains(ObjectIdentifier($0)) }
  }

  private func tableName(of entity: NSEntityDescription) -> String {
    tableNames[ObjectIdentifier(entity.rootEntity)] ?? ""
  }

  private func number(of entity: NSEntityDescription) -> Int? { numbers[ObjectIdentifier(entity)] }

  /// The numbers of the entity and of its subentities. They are one range, because numbering is depth first.
  private func numbers(below number: Int) -> [Int] { Array(number...lastNumbers[number - 1]) }

  /// The entities in the order of their numbers.
  package func makeEntities() -> [SQLEntity] {
    var columns: [[SQLColumn]] = []
    for (index, entity) in order.enumerated() {
      let inherited = entity.superentity.flatMap(number(of:)).map { columns[$0 - 1] } ?? []
      columns.append(inherited + declared[index].columns)
    }
    var result: [SQLEntity] = []
    for (index, entity) in order.enumerated() {
      let members = numbers(below: index + 1)
      let parent = entity.superentity.flatMap(number(of:)).map { result[$0 - 1] }
      result.append(
        SQLEntity(
          entity: entity, number: index + 1, superentity: parent, tableName: tableName(of: entity), numbers: members,
          sharesTable: parent != nil || members.count > 1, columns: columns[index],
          toManys: (parent?.toManys ?? [:]).merging(ownToManys(of: entity)) { $1 },
          columnsOfAll: columns, fixed: dialect.columns))
    }
    return result
  }

  /// The tables of the root entities.
  package func makeTables() -> [SQLTable] {
    let joinTables = Dictionary(grouping: joins, by: \.sourceNumber).mapValues { $0.map(\.table) }
    return order.filter { $0.superentity == nil }.compactMap { root in
      guard let number = number(of: root) else { return nil }
      let members = numbers(below: number)
      let parts = members.map { declared[$0 - 1] }
      let owners = owners[number] ?? []
      let byEntity = Dictionary(grouping: owners, by: \.destinationNumber)
      return SQLTable(
        name: tableName(of: root), entityNumbers: members,
        columns: DeclaredColumns.tableColumns(parts, owners: members.map { byEntity[$0] ?? [] }),
        keyColumns: zip(members, parts).flatMap { number, part in
          part.toOnes.map(\.keyColumn) + (byEntity[number] ?? []).map(\.keyColumn)
        },
        ownerColumns: owners,
        joinTables: members.flatMap { joinTables[$0] ?? [] })
    }
  }

  private func ownToManys(of entity: NSEntityDescription) -> [String: SQLToMany] {
    var result: [String: SQLToMany] = [:]
    for case let relationship as NSRelationshipDescription in entity.declaredProperties
    where relationship.isToMany && !relationship.isTransient {
      guard let destination = relationship.destinationEntity.flatMap(number(of:)),
        let storage = storage(of: relationship)
      else { continue }
      result[relationship.name] = SQLToMany(
        relationship: relationship, destinationNumber: destination, storage: storage)
    }
    return result
  }

  /// Returns the to-one relationship of that name. If the entity inherits the relationship, it shares the superentity's
  /// column.
  private func toOne(_ name: String, of entity: NSEntityDescription) -> SQLToOne? {
    var candidate: NSEntityDescription? = entity
    while let current = candidate, let number = number(of: current) {
      if let found = declared[number - 1].toOnes.first(where: { $0.relationship.name == name }) { return found }
      candidate = current.superentity
    }
    return nil
  }

  private func storage(of relationship: NSRelationshipDescription) -> SQLToMany.Storage? {
    if let inverse = relationship.inverseRelationship, !inverse.isToMany {
      guard let owner = inverse.owner, let toOne = toOne(inverse.name, of: owner) else { return nil }
      return .foreignKey(
        table: tableName(of: owner), column: toOne.keyColumn, entityColumn: toOne.entityColumn,
        orderColumn: relationship.isOrdered ? toOne.orderColumn : nil)
    }
    if let place = joinPlaces[ObjectIdentifier(relationship)] { return joins[place].storage(of: relationship) }
    guard let destination = relationship.destinationEntity, let root = number(of: destination.rootEntity),
      let owner = owners[root]?.first(where: { $0.relationship === relationship })
    else { return nil }
    return .foreignKey(
      table: tableName(of: destination), column: owner.keyColumn, entityColumn: nil, orderColumn: owner.orderColumn)
  }
}
