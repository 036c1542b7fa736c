import Foundation

/// Registers the name of the property that a Swift key path leads to.
///
/// Generated code calls this function for every property of a model's classes, because the name of a property cannot be read
/// from its key path. Paths through several properties need no call of their own.
///
/// - Parameters:
///   - keyPath: The key path, such as `\Person.name`.
///   - name: The key, or key path, of key-value coding that it stands for.
public func OCDRegisterKeyPath(_ keyPath: AnyKeyPath, name: String) {
  KeyPathNames.register(keyPath, name: name)
}

/// The names of registered key paths.
package enum KeyPathNames {
  private static let table = Table()

  static func register(_ keyPath: AnyKeyPath, name: String) {
    table.lock.withLock {
      table.names[keyPath] = name
      (table.components, table.properties) = (nil, nil)
    }
  }

  /// Registers the key paths that `keyPaths` returns. It is called when a name is looked up next.
  package static func register(lazily keyPaths: @escaping @Sendable () -> [(AnyKeyPath, String)]) {
    table.lock.withLock { table.pending.append(keyPaths) }
  }

  /// Returns the name that a key path is registered under, or a name that is composed of those of its components; nil if a
  /// component has no name.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    readModuleRegistrations()
    if let name = table.lock.withLock({ registeredName(of: keyPath) }) { return name }
    // This must happen before a name is composed, because a class may list a property under another name than that in Swift.
    KeyValueProperties.registerKeyPaths(of: type(of: keyPath).rootType)
    return table.lock.withLock {
      if let name = registeredName(of: keyPath) { return name }
      guard let name = composedName(of: keyPath) else { return nil }
      table.names[keyPath] = name
      return name
    }
  }

  /// Called while the lock is held.
  private static func registeredName(of keyPath: AnyKeyPath) -> String? {
    registerPending()
    return table.names[keyPath]
  }

  /// Called while the lock is held.
  private static func registerPending() {
    guard !table.pending.isEmpty else { return }
    for keyPaths in table.pending { for (keyPath, name) in keyPaths() { table.names[keyPath] = name } }
    table.pending = []
    (table.components, table.properties) = (nil, nil)
  }

  package static func requiredName(of keyPath: AnyKeyPath) -> String {
    if let name = name(of: keyPath) { return name }
    raise(.invalidArgument, "Could not extract a String from KeyPath \(keyPath)")
  }

  // Every access to its properties holds the lock.
  private final class Table: @unchecked Sendable {
    let lock = NSLock()
    var names: [AnyKeyPath: String] = [:]
    var pending: [@Sendable () -> [(AnyKeyPath, String)]] = []
    /// The names of registered properties by the texts of their components. It is made at its first use.
    var components: [String: String]?
    /// The names of registered properties by the identity of the property. It is made at its first use.
    var properties: [KeyPathComponents.Property: String]?
  }

  // MARK: Paths through several properties

  /// Returns the name that is composed of the names of the components. `KeyPathComponents` identifies the properties. If it
  /// cannot, the text of the key path does: `\Person.address?.city` prints as `\Person.<computed 0x1 (Address)>?.city`, and in
  /// most cases a computed component has the same text in the registered key path.
  private static func composedName(of keyPath: AnyKeyPath) -> String? {
    guard let components = components(of: keyPath), !components.isEmpty else { return nil }
    let properties = KeyPathComponents.properties(of: keyPath)
    var names: [String] = []
    for (index, component) in components.enumerated() {
      if let properties, properties.count == components.count, let name = registeredProperties()[properties[index]],
        !name.isEmpty
      {
        names.append(name)
      } else if component.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
        names.append(component)
      } else if let name = registeredComponents()[component], !name.isEmpty {
        names.append(name)
      } else {
        return nil
      }
    }
    return names.joined(separator: ".")
  }

  private static func registeredProperties() -> [KeyPathComponents.Property: String] {
    if let properties = table.properties { return properties }
    var made: [KeyPathComponents.Property: String] = [:]
    for (keyPath, name) in table.names {
      guard let properties = KeyPathComponents.properties(of: keyPath), properties.count == 1 else { continue }
      made[properties[0]] = made[properties[0], default: name] == name ? name : ""
    }
    table.properties = made
    return made
  }

  private static func registeredComponents() -> [String: String] {
    if let components = table.components { return components }
    var made: [String: String] = [:]
    for (keyPath, name) in table.names {
      guard let components = components(of: keyPath), components.count == 1 else { continue }
      // If two names have the same getter, neither name can be used.
      made[components[0]] = made[components[0], default: name] == name ? name : ""
    }
    table.components = made
    return made
  }

  /// Returns the components of a key path as the standard library prints them, without `?` and `!`.
  private static func components(of keyPath: AnyKeyPath) -> [String]? {
    let text = keyPath.debugDescription
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root) else { return nil }
    var components = [""]
    var depth = 0  // within <computed 0x1 (Dictionary<String, Int>)>
    for character in text.dropFirst(root.count) {
      if character == "<" { depth += 1 } else if character == ">" { depth -= 1 }
      switch character {
      case "." where depth == 0: components.append("")
      case "?" where depth == 0, "!" where depth == 0: break
      default: components[components.count - 1].append(character)
      }
    }
    return components.contains("") ? nil : components
  }
}
