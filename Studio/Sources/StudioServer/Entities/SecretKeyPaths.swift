import CoreData

/// The columns of an entity that lead to attributes that the model marks as secret. Their values are not shown.
struct SecretKeyPaths {
  private let entity: NSEntityDescription?

  init(_ entity: String, _ model: NSManagedObjectModel) { self.entity = model.entitiesByName[entity] }

  /// Returns whether the value at a key path is, or is made of, the value of a secret attribute.
  func contains(_ keyPath: String) -> Bool {
    var entity = entity
    for part in keyPath.split(separator: ".") where !part.hasPrefix("@") {
      guard let current = entity else { return false }
      if let property = Self.property(String(part), in: current) {
        if (property as? NSAttributeDescription)?.isSecret == true { return true }
        entity = (property as? NSRelationshipDescription)?.destinationEntity
      }
    }
    return false
  }

  /// Returns a property of an entity, or of an entity that inherits from it.
  private static func property(_ name: String, in entity: NSEntityDescription) -> NSPropertyDescription? {
    entity.propertiesByName[name] ?? entity.subentities.lazy.compactMap { property(name, in: $0) }.first
  }
}
