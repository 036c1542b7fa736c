import Foundation
import Synchronization

/// Finds the migration policies that entity mappings name.
enum MigrationPolicyClasses {
  private static let registered = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

  static func register(_ type: NSEntityMigrationPolicy.Type, _ name: String) {
    registered.withLock { $0[name] = type }
  }

  /// The class of that name: `Policy`, `.Policy` or `Module.Policy`; nil when there is none.
  ///
  /// The module may have another name than where the mapping model was made: the program's, and those that have managed
  /// object classes, are tried as well.
  static func find(_ name: String) -> NSEntityMigrationPolicy.Type? {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    if let known = registered.withLock({ $0[name] ?? $0[bare] }) { return known }
    let program = Bundle.main.executableURL?.lastPathComponent.replacingOccurrences(of: "-", with: "_")
    var candidates = name.contains(".") && !name.hasPrefix(".") ? [name] : []
    candidates += [program].compactMap { $0 }.map { "\($0).\(bare)" }
    candidates += ManagedClassRegistry.modules.sorted().map { "\($0).\(bare)" }
    let found = candidates.lazy.compactMap { ManagedClassRegistry.swiftClass($0) as? NSEntityMigrationPolicy.Type }
    if let first = found.first { return first }
    return bare == "NSEntityMigrationPolicy" ? NSEntityMigrationPolicy.self : nil
  }
}
