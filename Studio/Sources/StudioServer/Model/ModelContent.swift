import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// The content of the page of a model, as text.
struct ModelContent: Sendable {
  struct Attribute: Sendable {
    let name: String
    let type: String
    let traits: [String]
    let defaultText: String
  }

  struct Relationship: Sendable {
    let name: String
    let destination: String
    let destinationLink: String
    let count: String
    let deleteRule: String
    let inverse: String
    /// The relationship's settings in a sentence or two.
    let sentence: String
  }

  struct Line: Sendable {
    let title: String
    let text: String
  }

  struct Entity: Sendable {
    let name: String
    let anchor: String
    /// The page with the entity's objects; nil for a model without a store.
    let objectsLink: String?
    let parent: String?
    let isAbstract: Bool
    let hash: String
    let attributes: [Attribute]
    let relationships: [Relationship]
    let others: [Line]
    // Templates can read only stored properties.
    let hasAttributes: Bool
    let hasRelationships: Bool
  }

  let title: String
  let facts: [Line]
  let entities: [Entity]
  let requests: [Line]

  /// - Parameters:
  ///   - store: The store that keeps the model; nil for a model in a file.
  init(_ loaded: ModelLibrary.Loaded, _ summary: ModelSummary, store: String?) {
    title = store.map { "Model of \($0)" } ?? loaded.title
    let secrets = SecretTexts([loaded.model])
    let hashes = loaded.model.entityVersionHashesByName
    let anchors = Self.anchors(of: summary)
    entities = summary.entities.map { entity in
      Self.entity(entity, hashes[entity.name], store: store, anchors, secrets)
    }
    facts = Self.facts(of: summary)
    requests = summary.fetchRequests.map { request in
      let condition = request.predicate.map { " where \(secrets.predicate($0))" } ?? ""
      let limit = request.fetchLimit > 0 ? ", at most \(FigureText.grouped(request.fetchLimit))" : ""
      return Line(title: request.name, text: (request.entity ?? "") + condition + limit)
    }
  }

  /// Returns the anchors of entities in the page, by entity. The anchors are numbers, because names may contain any character.
  static func anchors(of summary: ModelSummary) -> [String: String] {
    Dictionary(
      summary.entities.enumerated().map { ($1.name, "entity-\($0 + 1)") }, uniquingKeysWith: { first, _ in first })
  }

  private static func facts(of summary: ModelSummary) -> [Line] {
    let attributes = summary.entities.map(\.attributes.count).reduce(0, +)
    let relationships = summary.entities.map(\.relationships.count).reduce(0, +)
    var facts = [
      Line(
        title: "Size",
        text: [
          FigureText.count(summary.entities.count, "entity", "entities"), FigureText.count(attributes, "attribute"),
          FigureText.count(relationships, "relationship"),
        ].joined(separator: ", ")),
      Line(title: "Checksum", text: summary.checksum),
    ]
    if !summary.versionIdentifiers.isEmpty {
      facts.append(Line(title: "Version identifiers", text: summary.versionIdentifiers.joined(separator: ", ")))
    }
    facts += summary.configurations.map {
      Line(title: "Configuration \($0.name)", text: $0.entities.joined(separator: ", "))
    }
    return facts
  }

  private static func entity(
    _ entity: ModelSummary.Entity, _ hash: Data?, store: String?, _ anchors: [String: String], _ secrets: SecretTexts
  ) -> Entity {
    Entity(
      name: entity.name, anchor: anchors[entity.name] ?? "", objectsLink: store.map { Link.entity($0, entity.name) },
      parent: entity.superentity, isAbstract: entity.isAbstract,
      hash: hash.map { $0.map { String(format: "%02x", $0) }.joined() } ?? "",
      attributes: entity.attributes.map { attribute($0, isSecret: secrets.contains(entity.name, $0.name)) },
      relationships: entity.relationships.map { relationship in
        Relationship(
          name: relationship.name, destination: relationship.destination ?? "nothing",
          destinationLink: "#" + (relationship.destination.flatMap { anchors[$0] } ?? ""), count: relationship.count,
          deleteRule: relationship.deleteRule, inverse: relationship.inverse ?? "none",
          sentence: RelationshipWords.text(of: relationship, entity: entity.name))
      },
      others: others(of: entity, secrets), hasAttributes: !entity.attributes.isEmpty,
      hasRelationships: !entity.relationships.isEmpty)
  }

  private static func attribute(_ attribute: ModelSummary.Attribute, isSecret: Bool) -> Attribute {
    var traits: [String] = []
    func add(_ isSo: Bool, _ text: String) { if isSo { traits.append(text) } }
    add(attribute.isOptional, "optional")
    add(attribute.isTransient, "transient")
    add(attribute.isIndexed, "indexed")
    add(attribute.usesExternalStorage, "large values in files")
    add(isSecret, "secret")
    if let derivation = attribute.derivation { traits.append("derived from \(derivation)") }
    if let transformer = attribute.transformer { traits.append("transformer \(transformer)") }
    if let name = attribute.valueClass { traits.append("class \(name)") }
    if let elements = attribute.elements { traits.append("of \(isSecret ? SecretTexts.masked : elements)") }
    if let name = attribute.renamingIdentifier { traits.append("was \(name)") }
    if !isSecret { traits += attribute.constraints }
    let value = attribute.defaultValue
    return Attribute(
      name: attribute.name, type: attribute.type, traits: traits,
      defaultText: value == nil ? "" : isSecret ? SecretTexts.masked : value ?? "")
  }

  private static func others(of entity: ModelSummary.Entity, _ secrets: SecretTexts) -> [Line] {
    var lines: [Line] = []
    if let name = entity.className, name != "NSManagedObject" { lines.append(Line(title: "Class", text: name)) }
    if let name = entity.renamingIdentifier { lines.append(Line(title: "Before", text: "was called \(name)")) }
    if let modifier = entity.versionHashModifier { lines.append(Line(title: "Hash modifier", text: modifier)) }
    lines += entity.indexes.map {
      Line(
        title: "Index \($0.name)",
        text: $0.definition.contains(" where ") ? secrets.predicate($0.definition) : $0.definition)
    }
    lines += entity.compoundIndexes.map { Line(title: "Index", text: $0.joined(separator: ", ")) }
    lines += entity.uniquenessConstraints.map { Line(title: "Unique", text: $0.joined(separator: ", ")) }
    lines += entity.fetchedProperties.map { property in
      let condition = property.predicate.map { " where \(secrets.predicate($0))" } ?? ""
      return Line(title: "Fetched property \(property.name)", text: (property.entity ?? "") + condition)
    }
    return lines
  }
}
