import Foundation

extension SecretAttributes {
  /// Registers the secret attributes of a store's entities, with their columns.
  package static func add(_ schema: SQLModel) {
    for entity in schema.entities {
      for (name, attribute) in entity.entity.attributesByName where attribute.isSecret {
        let columns = entity.columns.filter { $0.propertyName == name || $0.propertyName.hasPrefix("\(name).") }
        add(name, columns: columns.flatMap(\.names))
      }
    }
  }
}
