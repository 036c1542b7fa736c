import Foundation
import OpenCocoaFoundation
import Synchronization

/// Registers a function that lists a module's migration policies. Generated code calls it before `main`.
///
/// - Parameter policies: returns each policy class with its names: its own and the one in `@objc(Name)`.
public func _registerMigrationPolicies(_ policies: @escaping @Sendable () -> [(String, NSEntityMigrationPolicy.Type)]) {
  MigrationPolicyClasses.register(lazily: policies)
}

/// Finds the migration policies that entity mappings name.
enum MigrationPolicyClasses {
  private struct State {
    var pending: [@Sendable () -> [(String, NSEntityMigrationPolicy.Type)]] = []
    /// The classes that a module lists.
    var listed: [String: NSEntityMigrationPolicy.Type] = [:]
    /// The classes that the application has registered.
    var registered: [String: NSEntityMigrationPolicy.Type] = [:]

    mutating func type(_ name: String) -> NSEntityMigrationPolicy.Type? {
      if let type = registered[name] { return type }
      for policies in pending { for (name, type) in policies() { listed[name] = listed[name] ?? type } }
      pending = []
      return listed[name]
    }
  }

  private static let state = Mutex(State())

  static func register(_ type: NSEntityMigrationPolicy.Type, _ name: String) {
    state.withLock { $0.registered[name] = type }
  }

  static func register(lazily policies: @escaping @Sendable () -> [(String, NSEntityMigrationPolicy.Type)]) {
    state.withLock { $0.pending.append(policies) }
  }

  /// The class of that name: `Policy`, `.Policy` or `Module.Policy`; nil when there is none.
  ///
  /// The module may have had another name when the mapping model was made. So the program's name, and the modules that
  /// have managed object classes, are tried as well.
  static func find(_ name: String) -> NSEntityMigrationPolicy.Type? {
    readModuleRegistrations()
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    if let known = state.withLock({ $0.type(name) ?? $0.type(bare) }) { return known }
    let program = Bundle.main.executableURL?.lastPathComponent.replacingOccurrences(of: "-", with: "_")
    var candidates = name.contains(".") && !name.hasPrefix(".") ? [name] : []
    candidates += [program].compactMap { $0 }.map { "\($0).\(bare)" }
    candidates += ManagedClassRegistry.modules.sorted().map { "\($0).\(bare)" }
    let found = candidates.lazy.compactMap { ManagedClassRegistry.swiftClass($0) as? NSEntityMigrationPolicy.Type }
    if let first = found.first { return first }
    return bare == "NSEntityMigrationPolicy" ? NSEntityMigrationPolicy.self : nil
  }
}
