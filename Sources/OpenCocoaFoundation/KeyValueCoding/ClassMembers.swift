import Foundation

/// The members of classes that generated code lists.
package enum ClassMembers {
  /// The members of one class and of those that it inherits from, by key.
  package struct Table: Sendable {
    /// The properties; `isX` is found under `x`, too.
    package var properties: [String: OCDKeyValueProperty] = [:]
    /// The keys of the properties that take precedence over an entity's modeled property with the same key.
    package var exposed: Set<String> = []
    fileprivate(set) var affecting: [String: @Sendable () -> Set<String>] = [:]
    fileprivate(set) var ignoringChanges: [String: @Sendable () -> Bool] = [:]
    package fileprivate(set) var methods: [String: OCDCallableMethod] = [:]

    /// Whether the class declares that a change of the key's value does not change the object.
    package func ignoresChanges(for key: String) -> Bool { ignoringChanges[capitalized(key)]?() ?? false }
    /// Whether the class has such a declaration for at least one key.
    package var ignoresAnyChanges: Bool { !ignoringChanges.isEmpty }
  }

  // Every access to its properties holds the lock.
  private final class Tables: @unchecked Sendable {
    let lock = NSLock()
    var pending: [@Sendable () -> [_ClassMember]] = []
    var members: [ObjectIdentifier: [_ClassMember.Role]] = [:]
    var tables: [ObjectIdentifier: Table] = [:]
  }

  private static let tables = Tables()

  static func register(_ list: @escaping @Sendable () -> [_ClassMember]) {
    tables.lock.withLock {
      tables.pending.append(list)
      tables.tables = [:]
    }
    KeyPathNames.register(lazily: {
      list().compactMap { member in
        if case .property(let property, _) = member.role { return (property.keyPath, property.name) }
        return nil
      }
    })
  }

  /// Returns the members that are listed for a class and its superclasses. A subclass's members replace inherited ones with the
  /// same key.
  package static func table(of type: AnyClass) -> Table {
    readModuleRegistrations()
    return tables.lock.withLock {
      for list in tables.pending {
        for member in list() { tables.members[ObjectIdentifier(member.owner), default: []].append(member.role) }
      }
      tables.pending = []
      return lockedTable(of: type)
    }
  }

  /// Called while the lock is held.
  private static func lockedTable(of type: AnyClass) -> Table {
    if let table = tables.tables[ObjectIdentifier(type)] { return table }
    var table = _getSuperclass(type).map { lockedTable(of: $0) } ?? Table()
    for role in tables.members[ObjectIdentifier(type)] ?? [] { table.add(role) }
    tables.tables[ObjectIdentifier(type)] = table
    return table
  }

  /// Returns the property with the given name; nil if none is listed for the class.
  static func property(_ name: String, of type: AnyClass) -> OCDKeyValueProperty? { table(of: type).properties[name] }

  /// Whether a method with the given selector is listed for the class.
  package static func hasMethod(_ selector: String, of type: AnyClass) -> Bool {
    table(of: type).methods[selector] != nil
  }

  /// Returns the result of the class method `keyPathsForValuesAffecting<Key>`; empty if none is listed.
  package static func keyPathsAffecting(_ key: String, of type: AnyClass) -> Set<String> {
    table(of: type).affecting[capitalized(key)]?() ?? []
  }

  /// Returns the key with a capital first letter, as in the names of methods.
  private static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }
}

extension ClassMembers.Table {
  fileprivate mutating func add(_ role: _ClassMember.Role) {
    switch role {
    case .property(let property, let isExposed):
      properties[property.name] = property
      if isExposed { exposed.insert(property.name) }
      // `isOpen` is also the getter of the key `open`, whose setter would be `setOpen:`.
      let bare = property.name.dropFirst(2)
      if property.name.hasPrefix("is"), let first = bare.first, first.isUppercase {
        let key = first.lowercased() + bare.dropFirst()
        if properties[key] == nil { properties[key] = property.readOnly }
      }
    case .affecting(let key, let keyPaths): affecting[key] = keyPaths
    case .ignoringChanges(let key, let ignores): ignoringChanges[key] = ignores
    case .method(let method): methods[method.selector] = method
    }
  }
}
