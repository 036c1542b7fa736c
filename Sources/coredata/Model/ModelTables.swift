import CommandSupport
import CoreDataTools

/// A model as tables of plain text.
enum ModelTables {
  static func text(of model: ModelSummary) -> String {
    var parts = [heading(model)]
    parts += model.entities.map(section)
    if !model.configurations.isEmpty {
      let rows = model.configurations.map { [$0.name, $0.entities.joined(separator: ", ")] }
      parts.append(table(["Configuration", "Entities"], rows))
    }
    if !model.fetchRequests.isEmpty {
      let rows = model.fetchRequests.map {
        [$0.name, $0.entity ?? "", $0.fetchLimit == 0 ? "" : String($0.fetchLimit), $0.predicate ?? ""]
      }
      parts.append(table(["Fetch request", "Entity", "Limit", "Predicate"], rows))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func heading(_ model: ModelSummary) -> String {
    var text = "\(model.file)\n\(model.entities.count) \(model.entities.count == 1 ? "entity" : "entities")"
    if !model.versionIdentifiers.isEmpty { text += ", version \(model.versionIdentifiers.joined(separator: ", "))" }
    return text + ", checksum \(model.checksum)"
  }

  private static func section(_ entity: ModelSummary.Entity) -> String {
    var notes: [String] = []
    if let className = entity.className { notes.append("class \(className)") }
    if entity.isAbstract { notes.append("abstract") }
    notes += origin(entity.renamingIdentifier, entity.versionHashModifier, entity.userInfo)
    var parts = [
      entity.name + (entity.superentity.map { ": \($0)" } ?? "")
        + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
    ]
    if !entity.attributes.isEmpty {
      parts.append(
        table(["Attribute", "Type", "Optional", "Default", "Constraints", "Notes"], entity.attributes.map(row)))
    }
    if !entity.relationships.isEmpty {
      parts.append(
        table(
          ["Relationship", "Destination", "Inverse", "Count", "Optional", "Delete rule", "Notes"],
          entity.relationships.map(row)))
    }
    if !entity.fetchedProperties.isEmpty {
      let rows = entity.fetchedProperties.map { [$0.name, $0.entity ?? "", $0.predicate ?? ""] }
      parts.append(table(["Fetched property", "Entity", "Predicate"], rows))
    }
    if !entity.indexes.isEmpty {
      parts.append(table(["Index", "Elements"], entity.indexes.map { [$0.name, $0.definition] }))
    }
    for (title, groups) in [("Unique", entity.uniquenessConstraints), ("Indexed together", entity.compoundIndexes)]
    where !groups.isEmpty {
      parts.append("\(title): " + groups.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", "))
    }
    return ([parts[0]] + parts.dropFirst().map(indented)).joined(separator: "\n")
  }

  private static func row(_ attribute: ModelSummary.Attribute) -> [String] {
    var notes: [String] = []
    if attribute.isTransient { notes.append("transient") }
    if let derivation = attribute.derivation { notes.append("derived \(derivation)") }
    if let elements = attribute.elements { notes.append("of \(elements)") }
    if let valueClass = attribute.valueClass { notes.append("class \(valueClass)") }
    if let transformer = attribute.transformer { notes.append("transformer \(transformer)") }
    if attribute.isIndexed { notes.append("indexed") }
    if attribute.usesExternalStorage { notes.append("external storage") }
    notes += origin(attribute.renamingIdentifier, attribute.versionHashModifier, attribute.userInfo)
    return [
      attribute.name, attribute.type, attribute.isOptional ? "yes" : "no", attribute.defaultValue ?? "",
      attribute.constraints.joined(separator: ", "), notes.joined(separator: ", "),
    ]
  }

  private static func row(_ relationship: ModelSummary.Relationship) -> [String] {
    var notes: [String] = []
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isTransient { notes.append("transient") }
    notes += origin(relationship.renamingIdentifier, relationship.versionHashModifier, relationship.userInfo)
    return [
      relationship.name, relationship.destination ?? "", relationship.inverse ?? "", relationship.count,
      relationship.isOptional ? "yes" : "no", relationship.deleteRule, notes.joined(separator: ", "),
    ]
  }

  private static func origin(_ identifier: String?, _ modifier: String?, _ userInfo: [String: String]) -> [String] {
    var notes: [String] = []
    if let identifier { notes.append("renaming identifier \(identifier)") }
    if let modifier { notes.append("hash modifier \(modifier)") }
    return notes + userInfo.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Returns a table without the columns that are empty in every row.
  private static func table(_ titles: [String], _ rows: [[String]]) -> String {
    let kept = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    var table = TextTable(columns: kept.map { .init(titles[$0]) })
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table.text
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
      .joined(separator: "\n")
  }
}
