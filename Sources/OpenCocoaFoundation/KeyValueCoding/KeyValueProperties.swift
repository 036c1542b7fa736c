import Foundation

/// A cache of the properties that classes list, by name.
enum KeyValueProperties {
  // Every access to its properties holds the lock.
  private final class Tables: @unchecked Sendable {
    let lock = NSLock()
    var tables: [ObjectIdentifier: [String: OCDKeyValueProperty]] = [:]
  }

  private static let tables = Tables()

  /// Returns the property with the given name; nil if the class lists none.
  static func property(_ name: String, of type: any NSKeyValueCoding.Type) -> OCDKeyValueProperty? {
    table(of: type)[name]
  }

  /// Registers the names of the key paths of a class's properties, and of the properties of the classes that they lead to.
  static func registerKeyPaths(of type: Any.Type) {
    let type = unwrappedType(type)
    if let type = type as? any NSKeyValueCoding.Type { _ = table(of: type) }
  }

  private static func table(of type: any NSKeyValueCoding.Type) -> [String: OCDKeyValueProperty] {
    if let table = tables.lock.withLock({ tables.tables[ObjectIdentifier(type)] }) { return table }
    // The class's own code runs outside of the lock.
    let properties = type.keyValueProperties
    let generated = ClassMembers.table(of: type).properties
    let table = properties.reduce(into: generated) { $0[$1.name] = $1 }
    tables.lock.withLock { tables.tables[ObjectIdentifier(type)] = table }
    for property in properties { KeyPathNames.register(property.keyPath, name: property.name) }
    for property in properties { registerKeyPaths(of: Swift.type(of: property.keyPath).valueType) }
    return table
  }
}
