import Foundation
internal import VersionHashing

extension NSEntityDescription {
  /// The hash of everything in the entity that a store depends on, 32 bytes.
  public final var versionHash: Data {
    if let model, let name, model.isFrozen, let hash = model.entityVersionHashesByName[name] { return hash }
    var known = KnownHashes()
    return computeVersionHash(superentityHash: parent?.versionHash, &known)
  }

  /// Computes the hash from the superentity's hash. Transient properties, fetched properties and inherited constraints
  /// do not count.
  final func computeVersionHash(superentityHash: Data?, _ known: inout KnownHashes) -> Data {
    let properties = propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    return VersionHash.entity(
      name, isAbstract: isAbstract, superentity: superentityHash,
      properties: properties.map { ($0.name, known.hash(of: $0)) }, modifier: versionHashModifier,
      constraints: uniquenessConstraintNames)
  }
}
