import Foundation

/// An entity in two versions of a model. `source` is nil if the entity was added, `destination` if it was removed.
package struct EntityDifference {
  package let source: NSEntityDescription?
  package let destination: NSEntityDescription?
  /// The aspects that differ, apart from the name and the properties.
  package let aspects: [ChangedAspect]
  /// All properties that either version has, inherited properties included; empty if the entity was added or removed.
  package let properties: [PropertyDifference]
  /// The version hashes.
  package let hashes: (source: Data?, destination: Data?)

  /// The kind of change of the entity.
  package var change: VersionChange {
    VersionChange(source, destination, isEqual: aspects.isEmpty && changedProperties.isEmpty)
  }

  /// The properties that changed. Inherited properties are included only if the entity has another superentity: a
  /// change inside the same superentity is listed there.
  package var changedProperties: [PropertyDifference] {
    let hasOtherParent = aspects.contains { $0.name == "superentity" }
    return properties.filter { $0.change != .same && (!$0.isInherited || hasOtherParent) }
  }

  /// The name in the destination, or in the source if the entity was removed.
  package var name: String { destination?.name ?? source?.name ?? "" }

  init(
    _ source: NSEntityDescription?, _ destination: NSEntityDescription?, hashes: (source: Data?, destination: Data?),
    _ pairing: VersionPairing<NSEntityDescription>
  ) {
    self.source = source
    self.destination = destination
    self.hashes = hashes
    guard let source, let destination else {
      aspects = []
      properties = []
      return
    }
    aspects = Self.aspects(source, destination, pairing)
    let pairs = VersionPairing(
      Array(source.propertiesByName.values), Array(destination.propertiesByName.values)
    ).pairs
    properties = pairs.map { PropertyDifference($0.source, $0.destination, of: (source, destination), pairing) }
  }

  private static func aspects(
    _ source: NSEntityDescription, _ destination: NSEntityDescription, _ pairing: VersionPairing<NSEntityDescription>
  ) -> [ChangedAspect] {
    var aspects: [ChangedAspect] = []
    if source.superentity.flatMap(pairing.destination) !== destination.superentity || destination.superentity == nil {
      aspects.compare("superentity", source.superentity?.name, destination.superentity?.name)
    }
    aspects.compare("class", source.managedObjectClassName, destination.managedObjectClassName)
    aspects.compare("abstract", source.isAbstract, destination.isAbstract)
    aspects.compare("hash modifier", source.versionHashModifier, destination.versionHashModifier)
    aspects.compare("indexes", indexTexts(source), indexTexts(destination))
    aspects.compare(
      "unique", groupTexts(source.uniquenessConstraintNames), groupTexts(destination.uniquenessConstraintNames))
    aspects.compare(
      "compound indexes", groupTexts(source.compoundIndexNames), groupTexts(destination.compoundIndexNames))
    aspects.compare(userInfo: source.userInfo, destination.userInfo)
    return aspects
  }

  private static func indexTexts(_ entity: NSEntityDescription) -> [String] {
    entity.indexes.filter { !$0.isImpliedByProperty }.map { "\($0.name) (\($0.text))" }.sorted()
  }

  private static func groupTexts(_ groups: [[String]]) -> [String] {
    groups.map { "(\($0.joined(separator: ", ")))" }.sorted()
  }
}
