import Foundation

extension NSPropertyDescription {
  /// The hash of everything in the property that a store depends on, 32 bytes.
  public final var versionHash: Data { computeVersionHash() }

  /// What the hashes of all kinds of property begin with.
  final var baseVersionHash: Data {
    var hash = VersionHash()
    hash.add(name)
    hash.add(isOptional)
    hash.add(isTransient)
    hash.add(versionHashModifier)
    return hash.sha256
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
    var hash = VersionHash()
    hash.add(baseVersionHash)
    hash.add(Int(attributeType.rawValue))
    hash.addIfTrue(allowsExternalBinaryDataStorage)
    hash.addIfTrue(preservesValueInHistoryOnDeletion)
    return hash.sha256
  }
}

extension NSDerivedAttributeDescription {
  /// Only the expression counts: neither name nor type.
  fileprivate var derivedVersionHash: Data {
    var hash = VersionHash()
    hash.add(derivationText)
    return hash.sha256
  }
}

extension NSCompositeAttributeDescription {
  /// Only the elements count: not the attribute's own name.
  fileprivate var compositeVersionHash: Data {
    var hash = VersionHash()
    for element in elements.sorted(by: { precedesByBytes($0.name, $1.name) }) { hash.add(element.versionHash) }
    return hash.sha256
  }
}

extension NSFetchedPropertyDescription {
  /// No store depends on it: it enters the hash of no entity.
  fileprivate final var fetchedVersionHash: Data {
    var hash = VersionHash()
    hash.add(baseVersionHash)
    hash.add(template?.entityName)
    hash.add(template?.predicate?.description)
    return hash.sha256
  }
}

extension NSExpressionDescription {
  /// No store depends on it: it belongs to no entity.
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
    var hash = VersionHash()
    hash.add(baseVersionHash)
    hash.add(destinationEntity?.name)
    hash.add(inverseRelationship?.name)
    hash.add(maxCount)
    hash.add(minCount)
    if isOrdered {
      hash.add(true)
      hash.add(false)
    }
    return hash.sha256
  }
}
