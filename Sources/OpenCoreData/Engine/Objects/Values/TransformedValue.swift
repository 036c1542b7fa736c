import Foundation
import OpenCocoaFoundation

/// An object of a transformable attribute, and the bytes that it was made of or that a save wrote for it.
///
/// A value is immutable, so that default values and rolled back saves can share it. The object in it may be mutable: a
/// change inside of that object is not noticed.
@_spi(Store) public final class TransformedValue {
  /// The object; nil where the bytes stand for nil or cannot be decoded.
  package let object: Any?
  /// The bytes; nil until a save needs them.
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

  /// Decodes the bytes again, for an object that is not shared; the same object where that is not possible.
  package func copy(for attribute: NSAttributeDescription) -> Any? {
    bytes.flatMap { try? attribute.transformedObject(in: $0) } ?? object
  }

  /// Whether both hold equal values.
  package func isEqual(to other: TransformedValue) -> Bool {
    guard let object, let other = other.object else { return false }
    return (object as? NSObject)?.isEqual(other) ?? false
  }

  /// Whether both hold the very same object.
  package func isIdentical(to other: TransformedValue) -> Bool {
    guard let object, let other = other.object, type(of: object) is AnyClass, type(of: other) is AnyClass else {
      return false
    }
    return object as AnyObject === other as AnyObject
  }
}
