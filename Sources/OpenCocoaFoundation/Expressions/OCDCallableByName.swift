import Foundation

/// An object whose methods expressions call by their selectors: `FUNCTION($policy, "nameOf:in:", $source.x, "en")`.
///
/// Without the Objective-C run time, methods cannot be found by their selectors. So a class lists the methods that it offers:
///
///     class AddressPolicy: NSEntityMigrationPolicy {
///       func country(of address: String?, language: String) -> String? { … }
///
///       override class var callableMethods: [OCDCallableMethod] {
///         super.callableMethods + [OCDCallableMethod("countryOf:language:", AddressPolicy.country)]
///       }
///     }
///
/// A class that others inherit from declares the list as `open` or `class`, so that subclasses can override it. Methods of
/// key-value coding and selectors without arguments (`FUNCTION($source, "title")`) need no entry.
///
/// Differs from Apple (D-MIG-01): on Apple's platforms every method of the Objective-C run time can be called.
public protocol OCDCallableByName: AnyObject {
  /// The methods that expressions may call; a subclass adds its own to those of its superclass, and may replace them.
  static var callableMethods: [OCDCallableMethod] { get }
}

/// A cache of the methods that classes list, by selector.
enum CallableMethods {
  // Every access to its properties holds the lock.
  private final class Tables: @unchecked Sendable {
    let lock = NSLock()
    var tables: [ObjectIdentifier: [String: OCDCallableMethod]] = [:]
  }

  private static let tables = Tables()

  /// Returns the method with the given selector; nil if the class lists none.
  static func method(_ selector: String, of type: any OCDCallableByName.Type) -> OCDCallableMethod? {
    table(of: type)[selector]
  }

  private static func table(of type: any OCDCallableByName.Type) -> [String: OCDCallableMethod] {
    if let table = tables.lock.withLock({ tables.tables[ObjectIdentifier(type)] }) { return table }
    // The class's own code runs outside of the lock.
    let table = Dictionary(type.callableMethods.map { ($0.selector, $0) }) { _, last in last }
    tables.lock.withLock { tables.tables[ObjectIdentifier(type)] = table }
    return table
  }
}
