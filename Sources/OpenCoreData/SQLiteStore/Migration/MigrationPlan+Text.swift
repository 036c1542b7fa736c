import OpenCocoaFoundation

extension EntityMigration {
  /// A line of text for each change of the entity.
  package var lines: [String] {
    var result: [String] = []
    if let source, let destination, source.name != destination.name {
      result.append("renamed from \(source.name ?? "")")
    }
    if hasOtherParent {
      let parent = destination?.superentity?.name
      result.append(parent.map { "inherits from \($0)" } ?? "inherits from no entity any more")
    }
    result += attributes.compactMap(\.line) + relationships.compactMap(\.line)
    result += removedProperties.map { "\($0.name): removed" }
    return result
  }
}

extension AttributeMigration {
  /// The change as text; nil if there is none.
  fileprivate var line: String? {
    if changes.isEmpty { return nil }
    var parts: [String] = []
    if changes.contains(.added) {
      parts.append(fill.map { "added, with the value \($0)" } ?? "added")
    } else if let source {
      if changes.contains(.renamed) { parts.append("renamed from \(source.name)") }
      if changes.contains(.moved) { parts.append("now of \(entityName)") }
      if changes.contains(.converted) {
        parts.append("from \(source.attributeType.name) to \(destination.attributeType.name)")
      }
      if changes.contains(.mandatory) {
        parts.append("no longer optional" + (fill.map { ", \($0) where there is no value" } ?? ""))
      }
      if changes.contains(.externalStorage) {
        parts.append(
          destination.allowsExternalBinaryDataStorage ? "may be kept in files" : "not kept in files any more")
      }
      if changes.contains(.elements) { parts.append("with other elements") }
    }
    if changes.contains(.derivation) { parts.append("computed anew") }
    return "\(destination.name): \(parts.joined(separator: ", "))"
  }
}

extension RelationshipMigration {
  /// The change as text; nil if there is none.
  fileprivate var line: String? {
    if changes.isEmpty { return nil }
    var parts: [String] = []
    if changes.contains(.added) { parts.append("added") }
    if changes.contains(.renamed), let source { parts.append("renamed from \(source.name)") }
    if changes.contains(.moved) { parts.append("now of \(destination.owner?.name ?? "")") }
    if changes.contains(.toMany) { parts.append("leads to many objects") }
    if changes.contains(.toOne) { parts.append("leads to one object") }
    if changes.contains(.order) { parts.append(destination.isOrdered ? "ordered" : "without order") }
    if changes.contains(.destination) { parts.append("leads to \(destination.destinationEntity?.name ?? "")") }
    if changes.contains(.inverse) {
      parts.append(destination.inverseRelationship.map { "with the inverse \($0.name)" } ?? "without inverse")
    }
    if changes.contains(.mandatory) { parts.append("no longer optional") }
    return "\(destination.name): \(parts.joined(separator: ", "))"
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as a text for a reader: the changes of each entity and property, the checks, and the statements.
  package var description: String {
    var lines: [String] = []
    for entity in entities {
      let name = entity.source.map { $0 == entity.name ? $0 : "\($0) > \(entity.name)" } ?? entity.name
      let rows = entity.rows == 1 ? "1 row" : "\(entity.rows) rows"
      lines.append("\(name): \(entity.kind.rawValue), table \(entity.table) \(entity.method.rawValue), \(rows)")
      lines += entity.changes.map { "  \($0)" }
    }
    if !checks.isEmpty { lines += ["", "checked first:"] + checks.map { "  \($0.obstacle.text)" } }
    lines += ["", "statements (about \(rowsTouched) rows):"] + statements.map { "  \($0);" }
    if !leftovers.isEmpty {
      let names = leftovers.tables + leftovers.columns.map { "\($0.table).\($0.name)" }
      lines += ["", "left for later: \(names.joined(separator: ", "))"]
    }
    return lines.joined(separator: "\n")
  }
}

extension MigrationPlan {
  /// The statements in their order, without those of the checks.
  package var statements: [String] { steps.map(\.sql) }
}

extension MigrationPlan.Step {
  /// The text of the statement in SQLite's dialect.
  package var sql: String {
    switch action {
    case .sql(let text): return text
    case .alteration(let alteration):
      var printer = SQLPrinter(dialect: SQLiteDialect())
      printer.print(alteration)
      return printer.text
    }
  }
}
