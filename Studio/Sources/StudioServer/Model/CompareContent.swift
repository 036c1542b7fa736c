import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// The content of the page that compares two versions.
struct CompareContent: Sendable {
  /// A difference, as a row.
  struct Row: Sendable {
    let property: String
    let change: String
    let aspect: String
    let was: String
    let now: String
    let isHashed: Bool
  }

  struct Entity: Sendable {
    let name: String
    let formerName: String?
    let change: String
    let isHashed: Bool
    let rows: [Row]
    let hasRows: Bool
  }

  struct Hash: Sendable {
    let name: String
    let before: String
    let after: String
    let isSame: Bool
  }

  let source: String
  let sourceLink: String
  let destination: String
  let destinationLink: String
  let isSame: Bool
  /// Whether a store of one version can be opened with the other version.
  let isCompatible: Bool
  let isLightweight: Bool
  /// Whether an inferred migration would keep no object: the versions may belong to two applications.
  let sharesNothing: Bool
  let obstacles: [String]
  let conditions: [String]
  let hasConditions: Bool
  let aspects: [Row]
  let hasAspects: Bool
  let entities: [Entity]
  let hashes: [Hash]
  let checksumBefore: String
  let checksumAfter: String

  init(
    _ report: ModelDiffReport, _ from: ModelLibrary.Loaded, _ to: ModelLibrary.Loaded, _ secrets: SecretTexts
  ) {
    (source, destination) = (from.title, to.title)
    (sourceLink, destinationLink) = (from.reference.link, to.reference.link)
    isSame = report.entities.isEmpty && report.aspects.isEmpty
    isCompatible = !report.migration.isNeeded
    isLightweight = report.migration.isNeeded && report.migration.isLightweight
    // An entity that is kept is not reported as removed.
    let removed = report.entities.count { $0.change == "removed" }
    sharesNothing = isLightweight && !from.model.entities.isEmpty && removed == from.model.entities.count
    obstacles = report.migration.obstacles.map(Self.text)
    conditions = report.migration.conditions.map(Self.text)
    hasConditions = !report.migration.conditions.isEmpty
    aspects = report.aspects.map { aspect in
      Row(
        property: "", change: "changed", aspect: aspect.name, was: aspect.source.map(secrets.predicate) ?? "",
        now: aspect.destination.map(secrets.predicate) ?? "", isHashed: false)
    }
    hasAspects = !report.aspects.isEmpty
    entities = report.entities.map { Self.entity($0, secrets) }
    let (before, after) = (from.model.entityVersionHashesByName, to.model.entityVersionHashesByName)
    hashes = Set(before.keys).union(after.keys).sorted().map { name in
      Hash(
        name: name, before: Self.hex(before[name]), after: Self.hex(after[name]), isSame: before[name] == after[name])
    }
    (checksumBefore, checksumAfter) = (from.model.versionChecksum, to.model.versionChecksum)
  }

  private static func hex(_ data: Data?) -> String {
    data.map { $0.map { String(format: "%02x", $0) }.joined() } ?? "none"
  }

  static func text(_ obstacle: ModelDiffReport.Obstacle) -> String {
    [obstacle.entity, obstacle.property].compactMap { $0 }.joined(separator: ".") + ": " + obstacle.reason
  }

  private static func entity(_ entity: ModelDiffReport.Entity, _ secrets: SecretTexts) -> Entity {
    var rows = entity.aspects.map { aspect in
      Row(
        property: "the entity", change: "changed", aspect: aspect.name,
        was: aspect.source.map(secrets.predicate) ?? "", now: aspect.destination.map(secrets.predicate) ?? "",
        isHashed: false)
    }
    for property in entity.properties {
      let isSecret = [entity.name, entity.sourceName].compactMap { $0 }.contains { name in
        secrets.contains(name, property.name) || property.sourceName.map { secrets.contains(name, $0) } == true
      }
      rows += self.rows(of: property, isSecret: isSecret, secrets)
    }
    return Entity(
      name: entity.name, formerName: entity.sourceName, change: entity.change,
      isHashed: entity.changesHash && entity.change != "added" && entity.change != "removed", rows: rows,
      hasRows: !rows.isEmpty)
  }

  private static func rows(
    of property: ModelDiffReport.Property, isSecret: Bool, _ secrets: SecretTexts
  ) -> [Row] {
    func row(_ aspect: String, _ was: String, _ now: String) -> Row {
      Row(
        property: property.name, change: property.change, aspect: aspect, was: was, now: now,
        isHashed: property.changesHash)
    }
    if let summary = property.summary {
      let text =
        isSecret
        ? String(summary.prefix(upTo: summary.range(of: ", default ")?.lowerBound ?? summary.endIndex)) : summary
      return [property.change == "added" ? row(property.kind, "", text) : row(property.kind, text, "")]
    }
    var rows = property.sourceName.map { [row("name", $0, property.name)] } ?? []
    rows += property.aspects.map { aspect in
      if isSecret, ["default", "constraints", "elements"].contains(aspect.name) {
        return row(aspect.name, SecretTexts.masked, SecretTexts.masked)
      }
      return row(
        aspect.name, aspect.source.map(secrets.predicate) ?? "", aspect.destination.map(secrets.predicate) ?? "")
    }
    return rows
  }
}
