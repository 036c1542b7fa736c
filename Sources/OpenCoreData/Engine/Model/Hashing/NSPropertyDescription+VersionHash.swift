import Foundation
internal import VersionHashing

extension NSPropertyDescription {
  /// The hash of everything in the property that a store depends on, 32 bytes.
  public final var versionHash: Data { computeVersionHash() }

  /// The bytes with which the version hashes of all kinds of property begin.
  final var baseVersionHash: Data {
    VersionHash.base(name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier)
  }

  private final func computeVersionHash() -> Data {
    switch self {
    case let derived as NSDerivedAttributeDescription: derived.derivedVersionHash
    case let composite as NSCompositeAttributeDescription: composite.compositeVersionHash
    case let attribute as NSAttributeDescription: attribute.attributeVersionHash
    case let relationship as NSRelationshipDescription: relationship.relationshipVersionHash
    case let fetched as NSFetchedPropertyDescription: fetched.fetchedVersionHash
    case let described as NSExpressionDescription: described.expressionVersionHash
    default: baseVersionHash
    }
  }
}

extension NSAttributeDescription {
  fileprivate final var attributeVersionHash: Data {
    VersionHash.attribute(
      base: baseVersionHash, type: Int(attributeType.rawValue), allowsExternalStorage: allowsExternalBinaryDataStorage,
      preservesValueOnDeletion: preservesValueInHistoryOnDeletion)
  }
}

extension NSDerivedAttributeDescription {
  /// Computed from the expression only: neither name nor type counts.
  fileprivate var derivedVersionHash: Data {
    VersionHash.derivedAttribute(derivationText)
  }
}

extension NSCompositeAttributeDescription {
  /// Computed from the elements only: the attribute's own name does not count.
  fileprivate var compositeVersionHash: Data {
    VersionHash.compositeAttribute(elements.map { ($0.name, $0.versionHash) })
  }
}

extension NSFetchedPropertyDescription {
  /// No entity's hash contains this hash, because no store depends on a fetched property.
  fileprivate final var fetchedVersionHash: Data {
    var hash = VersionHash()
    hash.add(baseVersionHash)
    hash.add(template?.entityName)
    hash.add(template?.predicate?.description)
    return hash.sha256
  }
}

extension NSExpressionDescription {
  /// No store depends on this hash, because an expression description belongs to no entity.
  fileprivate final var expressionVersionHash: Data {
    var hash = VersionHash()
    hash.add(baseVersionHash)
    hash.add(expression?.description)
    hash.add(Int(expressionResultType.rawValue))
    return hash.sha256
  }
}

extension NSRelationshipDescription {
  fileprivate final var relationshipVersionHash: Data {
    VersionHash.relationship(
      base: baseVersionHash, destination: destinationEntity?.name, inverse: inverseRelationship?.name,
      minCount: minCount, maxCount: maxCount, isOrdered: isOrdered)
  }
}
