import Foundation

extension NSEntityDescription {
  /// Returns a copy of the entity that belongs to no model, with copies of its properties and subentities.
  ///
  /// Relationships of the copy still lead to the original destinations. When a model is copied, it replaces them.
  public final func copy(with zone: NSZone? = nil) -> Any {
    var replaced: [ObjectIdentifier: NSPropertyDescription] = [:]
    return detachedCopy(replaced: &replaced)
  }

  /// Copies the entity and its subentities, and records the copy of each property in `replaced`.
  final func detachedCopy(replaced: inout [ObjectIdentifier: NSPropertyDescription]) -> NSEntityDescription {
    let copy = NSEntityDescription()
    copyContents(to: copy, &replaced)
    return copy
  }

  /// Copies all contents to another entity, and records the copy of each property in `replaced`.
  final func copyContents(to copy: NSEntityDescription, _ replaced: inout [ObjectIdentifier: NSPropertyDescription]) {
    copy.name = name
    copy.storedClassName = storedClassName
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.uniquenessConstraints = uniquenessConstraintNames
    copy.compoundIndexes = compoundIndexNames
    let properties = declaredProperties.map { property in
      let copied = property.detachedCopy()
      replaced[ObjectIdentifier(property)] = copied
      return copied
    }
    copy.declare(properties)
    copy.indexes = indexes.map { index in index.detachedCopy { replaced[ObjectIdentifier($0)] ?? $0 } }
    copy.subentities = subentities.map { $0.detachedCopy(replaced: &replaced) }
  }
}
