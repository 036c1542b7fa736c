import Foundation

extension NSEntityDescription {
  /// Whether another entity has equal contents; super- and subentities are compared by name.
  final func hasEqualFields(_ other: NSEntityDescription) -> Bool {
    guard name == other.name, managedObjectClassName == other.managedObjectClassName, isAbstract == other.isAbstract,
      versionHashModifier == other.versionHashModifier, renamingIdentifier == other.renamingIdentifier,
      parent?.name == other.parent?.name, equalValues(userInfo, other.userInfo),
      uniquenessConstraintNames == other.uniquenessConstraintNames, compoundIndexNames == other.compoundIndexNames
    else { return false }
    return Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
      && Dictionary(declaredProperties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        == Dictionary(other.declaredProperties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
      && Set(indexes) == Set(other.indexes)
  }
}
