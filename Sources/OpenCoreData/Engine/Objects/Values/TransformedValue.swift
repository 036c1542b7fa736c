import Foundation
import OpenCocoaFoundation

/// An object of a transformable attribute, and the bytes that it was made of or that a save wrote for it.
///
/// Immutable, so that default values and rolled back saves can share it. What it holds may be a mutable object: a change
/// inside of one is not noticed.
@_spi(Store) public final class TransformedValue {
  /// Nil where the bytes are nil's, or cannot be decoded.
  package let object: Any?
  /// Nil until a save needs them.
  package let bytes: Data?
  /// Why the bytes cannot be decoded.
  package let problem: NSError?

  package init(_ object: Any, bytes: Data? = nil) {
    self.object = object
    self.bytes = bytes
    problem = nil
  }

  /// Decodes what a row has for an attribute.
  package init(decoding bytes: Data, _ attribute: NSAttributeDescription) {
    self.bytes = bytes
    do {
      object = try attribute.transformedObject(in: bytes)
      problem = nil
    } catch {
      object = nil
      problem = error as NSError
    }
  }

  /// Another object of the same bytes, as far as there can be one.
  package func copy(for attribute: NSAttributeDescription) -> Any? {
    bytes.flatMap { try? attribute.transformedObject(in: $0) } ?? object
  }

  /// Whether another object says the same.
  package func isEqual(to other: TransformedValue) -> Bool {
    guard let object, let other = other.object else { return false }
    return (object as? NSObject)?.isEqual(other) ?? false
  }

  /// Whether it holds the very object that another one holds.
  package func isIdentical(to other: TransformedValue) -> Bool {
    guard let object, let other = other.object, type(of: object) is AnyClass, type(of: other) is AnyClass else {
      return false
    }
    return object as AnyObject === other as AnyObject
  }
}
