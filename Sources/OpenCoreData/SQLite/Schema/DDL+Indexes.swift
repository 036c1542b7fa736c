extension DDL {
  /// The indexes of a new store: for each table those of its keys, of its entities and of its join tables, then for
  /// each of its entities those that the model asks for, and those that keep values unique.
  ///
  /// Left out are an index of ranges (`NSFetchIndexElementType.rTree`), which is no index of the table itself, an index
  /// with a condition, and an index of a property without a column: they only make fetches faster.
  static func indexes(of model: SQLModel) -> [String] {
    var names: Set<String> = []
    return model.tables.flatMap { indexes(of: $0, in: model) }
      .filter { names.insert($0.name.uppercased()).inserted }
      .map(\.statement)
  }

  private typealias Index = (name: String, statement: String)

  private static func indexes(of table: SQLTable, in model: SQLModel) -> [Index] {
    var result: [Index] = table.keyColumns.map { plainIndex("\(table.name)_\($0)_INDEX", table.name, [$0]) }
    if table.entityNumbers.count > 1 {
      result.append(plainIndex("\(table.name)_Z_ENT_INDEX", table.name, ["Z_ENT"]))
    }
    for join in table.joinTables {
      result.append(
        plainIndex(
          "\(join.name)_\(join.destinationColumn)_INDEX", join.name, [join.destinationColumn, join.sourceColumn]))
    }
    for number in table.entityNumbers {
      guard let entity = model.entity(number: number) else { continue }
      result += attributeIndexes(of: entity) + fetchIndexes(of: entity) + uniqueIndexes(of: entity)
    }
    return result
  }

  private static func attributeIndexes(of entity: SQLEntity) -> [Index] {
    let attributes = entity.entity.declaredProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }
    let names = attributes.map { [$0.name] }.sorted { $0[0] < $1[0] } + entity.entity.compoundIndexNames
    return names.compactMap { names in
      index("Z_\(entity.name)_\(names.joined(separator: "_"))", on: entity, names.map { ($0, true) })
    }
  }

  private static func fetchIndexes(of entity: SQLEntity) -> [Index] {
    entity.entity.indexes.compactMap { description in
      guard description.partialIndexPredicate == nil,
        description.elements.allSatisfy({ $0.collationType == .binary })
      else { return nil }
      return index(
        "Z_\(entity.name)_\(description.name)", on: entity,
        description.elements.map { ($0.propertyName ?? "", $0.isAscending) })
    }
  }

  private static func uniqueIndexes(of entity: SQLEntity) -> [Index] {
    entity.entity.uniquenessConstraintNames.compactMap { names in
      index(
        "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))", on: entity, names.map { ($0, true) }, isUnique: true)
    }
  }

  private static func index(
    _ name: String, on entity: SQLEntity, _ elements: [(name: String, isAscending: Bool)], isUnique: Bool = false
  ) -> Index? {
    let columns = elements.compactMap { element -> String? in
      guard let position = entity.positions[element.name] else { return nil }
      return "\(entity.columns[position].names[0]) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
    }
    guard !columns.isEmpty, columns.count == elements.count else { return nil }
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    return (name, "CREATE \(kind) \(name) ON \(entity.tableName) (\(columns.joined(separator: ", ")))")
  }

  private static func plainIndex(_ name: String, _ table: String, _ columns: [String]) -> Index {
    (name, "CREATE INDEX \(name) ON \(table) (\(columns.joined(separator: ", ")))")
  }
}
