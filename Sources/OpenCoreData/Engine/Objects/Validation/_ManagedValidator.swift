import Foundation
import OpenCocoaFoundation

/// A method `validate<Key>(_:)` of a managed object class, which key-value validation finds by its name on Apple's systems
/// and generated code lists here.
public struct _ManagedValidator: Sendable {
  package typealias Check = @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  private let name: String
  let isOf: @Sendable (NSManagedObject.Type) -> Bool
  let check: Check

  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - name: the part of the method's name behind `validate`.
  ///   - check: calls the method.
  public init<Owner: NSManagedObject>(
    _ owner: Owner.Type, _ name: String,
    _ check: @escaping @Sendable (Owner, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    self.name = name
    isOf = { $0 is Owner.Type }
    self.check = { object, value in
      if let object = object as? Owner { try check(object, value) }
    }
  }

  /// Whether the method is for the property of that name.
  func validates(_ property: String) -> Bool { property.prefix(1).uppercased() + property.dropFirst() == name }
}
