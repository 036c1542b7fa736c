import Foundation

/// Tells the name of the property that a Swift key path leads to.
///
/// Generated code calls it for every property of a model's classes, because a Swift key path does not know its name.
///
/// - Parameters:
///   - keyPath: The key path, such as `\Person.name`.
///   - name: The key, or key path, of key-value coding that it stands for.
public func registerKeyPath(_ keyPath: AnyKeyPath, name: String) {
  KeyPathNames.register(keyPath, name: name)
}

/// The names of the key paths that were registered.
package enum KeyPathNames {
  private static let table = Table()

  static func register(_ keyPath: AnyKeyPath, name: String) {
    table.lock.withLock { table.names[keyPath] = name }
  }

  /// The name that a key path is registered under, or that the compiler's metadata tell.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    table.lock.withLock { table.names[keyPath] } ?? nameFromMetadata(keyPath)
  }

  package static func requiredName(of keyPath: AnyKeyPath) -> String {
    if let name = name(of: keyPath) { return name }
    raise(.invalidArgument, "Could not extract a String from KeyPath \(keyPath)")
  }

  /// Stored properties have their names in the metadata, unless the compiler was told to leave them out.
  private static func nameFromMetadata(_ keyPath: AnyKeyPath) -> String? {
    let text = keyPath.debugDescription  // "\Person.address.city"
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root) else { return nil }
    let path = text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" }
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return isPlain && !path.isEmpty ? String(path) : nil
  }

  // Every access to the names holds the lock.
  private final class Table: @unchecked Sendable {
    let lock = NSLock()
    var names: [AnyKeyPath: String] = [:]
  }
}
