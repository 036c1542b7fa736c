extension DDL {
  /// Returns the statements that create the indexes of a new store. Each table has the indexes of its keys, of its entities
  /// and of its join tables, and then, for each of its entities, those that the model asks for and those that keep values
  /// unique.
  ///
  /// Three kinds of index are left out, because they only make fetches faster: an index of ranges
  /// (`NSFetchIndexElementType.rTree`), which is no index of the table itself; an index of a property without a column; an
  /// index whose condition or expression needs more than SQLite's own functions.
  package static func indexes(of model: SQLModel) -> [String] {
    indexDefinitions(of: model).map { text(.createIndex($0), model) }
  }

  /// The definitions from which the statements of `indexes(of:)` are printed.
  package static func indexDefinitions(of model: SQLModel) -> [SQLIndexDefinition] {
    namedIndexes(of: model).map(\.definition)
  }

  /// The names of the indexes that keep values unique, with the entity and the properties of each.
  package static func uniqueIndexNames(of model: SQLModel) -> [String: (entity: SQLEntity, properties: [String])] {
    Dictionary(
      namedIndexes(of: model).compactMap { index in index.constraint.map { (index.definition.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the indexes with their final names. Of several indexes with one name only the first is created, which makes
  /// fetches as fast; but an index that keeps values unique gets another name. Tables and indexes share one name space.
  private static func namedIndexes(of model: SQLModel) -> [Index] {
    let tables = model.tables.flatMap { [$0.name] + $0.joinTables.map(\.name) }
    var taken = SQLNames(taken: tables), names: Set<String> = [], statements: Set<String> = []
    return model.tables.flatMap { indexes(of: $0, in: model) }.compactMap { index in
      guard statements.insert(text(.createIndex(index.definition), model)).inserted else { return nil }
      let name = index.definition.name
      if index.constraint == nil, !names.insert(name.uppercased()).inserted { return nil }
      var named = index
      named.definition.name = taken.unique(name)
      return named
    }
  }

  private struct Index {
    var definition: SQLIndexDefinition
    var constraint: (entity: SQLEntity, properties: [String])?
  }

  private static func indexes(of table: SQLTable, in model: SQLModel) -> [Index] {
    var result: [Index] = table.keyColumns.map { plainIndex("\(table.name)_\($0)_INDEX", table.name, [$0]) }
    if table.entityNumbers.count > 1 {
      result.append(plainIndex("\(table.name)_Z_ENT_INDEX", table.name, [model.dialect.columns.entity]))
    }
    for join in table.joinTables {
      result.append(
        plainIndex(
          "\(join.name)_\(join.destinationColumn)_INDEX", join.name, [join.destinationColumn, join.sourceColumn]))
    }
    for number in table.entityNumbers {
      guard let entity = model.entity(number: number) else { continue }
      result += attributeIndexes(of: entity) + fetchIndexes(of: entity, in: model) + uniqueIndexes(of: entity)
    }
    return result
  }

  private static func attributeIndexes(of entity: SQLEntity) -> [Index] {
    let attributes = entity.entity.declaredProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }
    let names = attributes.map { [$0.name] }.sorted { $0[0] < $1[0] } + entity.entity.compoundIndexNames
    return names.compactMap { names in
      index("Z_\(entity.name)_\(names.joined(separator: "_"))", on: entity, of: names)
    }
  }

  private static func fetchIndexes(of entity: SQLEntity, in model: SQLModel) -> [Index] {
    entity.entity.indexes.compactMap { description in
      var condition: SQLExpression?
      if let predicate = description.partialIndexPredicate {
        condition = try? SQLDefinition.condition(predicate, on: entity, in: model)
        if condition == nil { return nil }
      }
      let terms = description.elements.compactMap { term($0, of: entity, in: model) }
      guard terms.count == description.elements.count else { return nil }
      return index("Z_\(entity.name)_\(description.name.asPlainName)", on: entity, terms: terms, where: condition)
    }
  }

  /// Returns the column or expression that an element of a fetch index sorts by; nil if SQLite cannot have such an index.
  private static func term(
    _ element: NSFetchIndexElementDescription, of entity: SQLEntity, in model: SQLModel
  ) -> SQLIndexTerm? {
    guard element.collationType == .binary else { return nil }
    let value: SQLExpression?
    if let expression = (element.property as? NSExpressionDescription)?.expression {
      value = try? SQLDefinition.expression(expression, on: entity, in: model)
    } else {
      value = column(element.propertyName ?? "", of: entity).map { .name($0) }
    }
    return value.map { SQLIndexTerm(expression: $0, isDescending: !element.isAscending) }
  }

  private static func uniqueIndexes(of entity: SQLEntity) -> [Index] {
    entity.entity.uniquenessConstraintNames.compactMap { names in
      index("Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))", on: entity, of: names, isUnique: true)
    }
  }

  private static func index(
    _ name: String, on entity: SQLEntity, of properties: [String], isUnique: Bool = false
  ) -> Index? {
    let terms = properties.compactMap { column($0, of: entity).map { SQLIndexTerm(expression: .name($0)) } }
    guard terms.count == properties.count else { return nil }
    var result = index(name, on: entity, terms: terms, isUnique: isUnique)
    if isUnique { result?.constraint = (entity, properties) }
    return result
  }

  private static func index(
    _ name: String, on entity: SQLEntity, terms: [SQLIndexTerm], where condition: SQLExpression? = nil,
    isUnique: Bool = false
  ) -> Index? {
    guard !terms.isEmpty else { return nil }
    return Index(
      definition: SQLIndexDefinition(
        name: name, table: entity.tableName, terms: terms, condition: condition, isUnique: isUnique))
  }

  /// Returns the column of an attribute, or the key column of a to-one relationship.
  private static func column(_ property: String, of entity: SQLEntity) -> String? {
    entity.positions[property].map { entity.columns[$0].names[0] }
  }

  private static func plainIndex(_ name: String, _ table: String, _ columns: [String]) -> Index {
    Index(definition: SQLIndexDefinition(name: name, table: table, terms: columns.map { .key($0) }))
  }
}
