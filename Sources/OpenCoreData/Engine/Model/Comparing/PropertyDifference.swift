import OpenCocoaFoundation

/// A property in two versions of an entity. `source` is nil if the property was added, `destination` if it was removed.
package struct PropertyDifference {
  package let source: NSPropertyDescription?
  package let destination: NSPropertyDescription?
  /// The aspects that differ, apart from the name.
  package let aspects: [ChangedAspect]
  /// Whether the entity inherits the property in each version that has it.
  package let isInherited: Bool

  /// The kind of change of the property.
  package var change: VersionChange { VersionChange(source, destination, isEqual: aspects.isEmpty) }

  /// Whether the version hashes of the property differ, so that stores of the two versions differ.
  package var changesHash: Bool { source?.versionHash != destination?.versionHash }

  init(
    _ source: NSPropertyDescription?, _ destination: NSPropertyDescription?,
    of entities: (source: NSEntityDescription, destination: NSEntityDescription),
    _ pairing: VersionPairing<NSEntityDescription>
  ) {
    self.source = source
    self.destination = destination
    isInherited =
      (source.map { $0.owner !== entities.source } ?? true)
      && (destination.map { $0.owner !== entities.destination } ?? true)
    var aspects: [ChangedAspect] = []
    if let source, let destination {
      Self.compare(source, destination, pairing, &aspects)
      // The property may have moved up or down the hierarchy of entities.
      let (before, after) = (source.owner, destination.owner)
      if (before === entities.source) != (after === entities.destination) {
        aspects.compare("declared by", before?.name, after?.name)
      }
    }
    self.aspects = aspects
  }

  private static func compare(
    _ source: NSPropertyDescription, _ destination: NSPropertyDescription,
    _ pairing: VersionPairing<NSEntityDescription>, _ aspects: inout [ChangedAspect]
  ) {
    aspects.compare("kind", source.kindText, destination.kindText)
    switch (source, destination) {
    case (let source as NSAttributeDescription, let destination as NSAttributeDescription):
      compare(source, destination, &aspects)
    case (let source as NSRelationshipDescription, let destination as NSRelationshipDescription):
      compare(source, destination, pairing, &aspects)
    case (let source as NSFetchedPropertyDescription, let destination as NSFetchedPropertyDescription):
      aspects.compare("entity", source.template?.entityName, destination.template?.entityName)
      aspects.compare(
        "predicate", source.template?.predicate?.description, destination.template?.predicate?.description)
    default: break
    }
    aspects.compare("optional", source.isOptional, destination.isOptional)
    aspects.compare("transient", source.isTransient, destination.isTransient)
    aspects.compare("indexed", source.isIndexed, destination.isIndexed)
    aspects.compare("hash modifier", source.versionHashModifier, destination.versionHashModifier)
    aspects.compare(userInfo: source.userInfo, destination.userInfo)
  }

  private static func compare(
    _ source: NSAttributeDescription, _ destination: NSAttributeDescription, _ aspects: inout [ChangedAspect]
  ) {
    aspects.compare("type", source.attributeType.name, destination.attributeType.name)
    aspects.compare(
      "derivation", (source as? NSDerivedAttributeDescription)?.derivationText,
      (destination as? NSDerivedAttributeDescription)?.derivationText)
    aspects.compare("elements", source.elementsText, destination.elementsText)
    aspects.compare("default", source.defaultValueText, destination.defaultValueText)
    aspects.compare("constraints", source.constraintTexts, destination.constraintTexts)
    if source.attributeType == destination.attributeType {
      aspects.compare("value class", source.attributeValueClassName, destination.attributeValueClassName)
    }
    aspects.compare("transformer", source.valueTransformerName, destination.valueTransformerName)
    aspects.compare(
      "external storage", source.allowsExternalBinaryDataStorage, destination.allowsExternalBinaryDataStorage)
    aspects.compare(
      "preserved after deletion", source.preservesValueInHistoryOnDeletion,
      destination.preservesValueInHistoryOnDeletion)
    aspects.compare("encrypted", source.allowsCloudEncryption, destination.allowsCloudEncryption)
  }

  private static func compare(
    _ source: NSRelationshipDescription, _ destination: NSRelationshipDescription,
    _ pairing: VersionPairing<NSEntityDescription>, _ aspects: inout [ChangedAspect]
  ) {
    // If only the name of the destination or the inverse changed, the relationship itself did not change.
    let target = source.destinationEntity
    if target.flatMap(pairing.destination) !== destination.destinationEntity || destination.destinationEntity == nil {
      aspects.compare("destination", target?.name, destination.destinationEntity?.name)
    }
    let (inverse, newInverse) = (source.inverseRelationship, destination.inverseRelationship)
    if inverse?.canonicalName != newInverse?.canonicalName {
      aspects.compare("inverse", inverse?.name, newInverse?.name)
    }
    aspects.compare("count", source.isToMany ? "to many" : "to one", destination.isToMany ? "to many" : "to one")
    if source.isToMany, destination.isToMany {
      aspects.compare("minimum", "\(source.minCount)", "\(destination.minCount)")
      aspects.compare("maximum", "\(source.maxCount)", "\(destination.maxCount)")
    }
    aspects.compare("ordered", source.isOrdered, destination.isOrdered)
    aspects.compare("delete rule", source.deleteRule.name, destination.deleteRule.name)
  }
}

extension NSPropertyDescription {
  /// The kind of property in one word.
  package final var kindText: String {
    switch self {
    case is NSDerivedAttributeDescription: "derived attribute"
    case is NSCompositeAttributeDescription: "composite attribute"
    case is NSAttributeDescription: "attribute"
    case is NSRelationshipDescription: "relationship"
    case is NSFetchedPropertyDescription: "fetched property"
    default: "property"
    }
  }
}
