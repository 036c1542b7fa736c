import Foundation

/// The properties that classes list, by name.
enum KeyValueProperties {
  // Every access to its properties holds the lock.
  private final class Tables: @unchecked Sendable {
    let lock = NSLock()
    var tables: [ObjectIdentifier: [String: OCDKeyValueProperty]] = [:]
  }

  private static let tables = Tables()

  /// The property with that name; nil if the class does not list it.
  static func property(_ name: String, of type: any NSKeyValueCoding.Type) -> OCDKeyValueProperty? {
    table(of: type)[name]
  }

  /// Makes sure that the names of the key paths of a class's properties are registered, and those of the classes to which
  /// they lead.
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
