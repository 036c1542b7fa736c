import Foundation
import OpenCocoaFoundation

/// The differences between two versions of a model, and whether a store of the first can be migrated to the second
/// without a mapping model.
package struct ModelDifference {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  /// All entities that either version has, equal ones included.
  package let entities: [EntityDifference]
  /// The differences in configurations, fetch request templates and version identifiers.
  package let aspects: [ChangedAspect]
  /// The lightweight migration from the first version to the second.
  package let migration: InferredMigration

  /// Compares two versions.
  package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    migration = InferredMigration(from: source, to: destination)
    let pairing = migration.pairing
    let (before, after) = migration.hashes
    entities = pairing.pairs.map { pair in
      let hashes = (pair.source?.name.flatMap { before[$0] }, pair.destination?.name.flatMap { after[$0] })
      return EntityDifference(pair.source, pair.destination, hashes: hashes, pairing)
    }
    aspects = Self.aspects(source, destination)
  }

  /// The entities that are not the same.
  package var changedEntities: [EntityDifference] { entities.filter { $0.change != .same } }

  /// The entities whose hashes differ.
  package var rehashedEntities: [EntityDifference] { entities.filter { $0.hashes.source != $0.hashes.destination } }

  /// Whether a store of the source has to be migrated before the destination can open it.
  package var needsMigration: Bool { !rehashedEntities.isEmpty }

  private static func aspects(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> [ChangedAspect] {
    var aspects: [ChangedAspect] = []
    func identifiers(_ model: NSManagedObjectModel) -> [String] { model.versionIdentifiers.map { "\($0)" }.sorted() }
    aspects.compare("version identifiers", identifiers(source), identifiers(destination))
    for name in Set(source.configurations).union(destination.configurations).sorted() {
      func members(_ model: NSManagedObjectModel) -> String? {
        model.entities(forConfigurationName: name)?.compactMap(\.name).sorted().joined(separator: ", ")
      }
      aspects.compare("configuration \(name)", members(source), members(destination))
    }
    for name in Set(source.templates.keys).union(destination.templates.keys).sorted() {
      let (before, after) = (source.templates[name], destination.templates[name])
      guard before != after else { continue }
      func text(_ template: FetchRequestTemplate?) -> String? {
        template.map { [$0.entityName, $0.predicate?.description].compactMap { $0 }.joined(separator: " where ") }
      }
      let texts = (text(before), text(after))
      aspects.append(
        ChangedAspect(
          name: "fetch request \(name)", source: texts.0,
          destination: texts.0 == texts.1 ? texts.1.map { $0 + ", with other settings" } : texts.1))
    }
    return aspects
  }
}
