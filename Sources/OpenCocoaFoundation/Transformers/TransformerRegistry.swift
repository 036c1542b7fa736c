import Foundation

/// The registered transformers of the program, by name.
enum TransformerRegistry {
  // Every access to its properties holds the lock.
  private final class Table: @unchecked Sendable {
    let lock = NSLock()
    var transformers: [NSValueTransformerName: ValueTransformer] = [
      .negateBooleanTransformerName: NegateBooleanTransformer(), .isNilTransformerName: IsNilTransformer(),
      .isNotNilTransformerName: IsNotNilTransformer(),
      .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
      NSValueTransformerName("NSKeyedUnarchiveFromData"): KeyedUnarchiveTransformer(),
    ]
  }

  private static let table = Table()

  static var names: [NSValueTransformerName] {
    table.lock.withLock { Array(table.transformers.keys) }
  }

  static func register(_ transformer: ValueTransformer?, _ name: NSValueTransformerName) {
    // The replaced transformer is released after the lock, because its deinitialiser may call this type.
    let replaced = table.lock.withLock {
      let replaced = table.transformers[name]
      table.transformers[name] = transformer
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  static func transformer(named name: NSValueTransformerName) -> ValueTransformer? {
    if let known = table.lock.withLock({ table.transformers[name] }) { return known }
    guard let type = type(named: name.rawValue) else { return nil }
    let made = type.init()
    return table.lock.withLock {
      if let known = table.transformers[name] { return known }
      table.transformers[name] = made
      return made
    }
  }

  private static func type(named name: String) -> ValueTransformer.Type? {
    guard !name.isEmpty else { return nil }
    if let type = NSClassFromString(name) as? ValueTransformer.Type { return type }
    guard !name.contains(".") else { return nil }
    let modules = [mainModule, String(reflecting: ValueTransformer.self).components(separatedBy: ".")[0]]
    return modules.lazy.compactMap { NSClassFromString("\($0).\(name)") as? ValueTransformer.Type }.first
  }

  /// The name of the program's main module, which is derived from the name of the executable file.
  private static var mainModule: String {
    let name = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
    return String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
