import Foundation

extension NSEntityDescription {
  /// The hash of everything in the entity that a store depends on, 32 bytes.
  public final var versionHash: Data {
    if let model, let name, model.isFrozen, let hash = model.entityVersionHashesByName[name] { return hash }
    var known = KnownHashes()
    return computeVersionHash(superentityHash: parent?.versionHash, &known)
  }

  /// Computes the hash from the superentity's. Transient and fetched properties and inherited constraints
  /// do not count.
  final func computeVersionHash(superentityHash: Data?, _ known: inout KnownHashes) -> Data {
    var hash = VersionHash()
    hash.add(name)
    hash.add(isAbstract)
    if let superentityHash { hash.add(superentityHash) }
    for property in propertiesByName.values.sorted(by: { precedesByBytes($0.name, $1.name) })
    where !property.isTransient && !(property is NSFetchedPropertyDescription) { hash.add(known.hash(of: property)) }
    hash.add(versionHashModifier)
    for constraint in uniquenessConstraintNames.map({ $0.joined(separator: ".") }).sorted(by: precedesByBytes) {
      hash.add(constraint)
    }
    return hash.sha256
  }
}
