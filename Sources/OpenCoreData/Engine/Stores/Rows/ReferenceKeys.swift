import Foundation
import OpenCocoaFoundation

/// The keys of reference objects, by which stores other than SQLite identify their objects in place of primary keys.
///
/// Contexts work with keys. A whole number above zero is its own key. Any other reference object gets a key from a separate
/// range; that key is valid only as long as the store is open.
package final class ReferenceKeys: @unchecked Sendable {  // `lock` guards the tables
  /// The first key of the range for reference objects that are not their own keys.
  package static let firstInterned: Int64 = 1 << 61

  private struct Name: Hashable {
    let rootName: String
    let reference: AnyHashable
  }

  private let lock = NSLock()
  private struct Text: Hashable {
    let rootName: String
    let text: String
  }

  private var keys: [Name: Int64] = [:]
  /// The keys by the texts of the reference objects in URIs.
  private var keysByText: [Text: Int64] = [:]
  private var references: [Any] = []

  /// Returns the key for a reference object of an entity's objects.
  ///
  /// A reference object that is no number must be Hashable, as strings, UUIDs, URLs and NSObjects are.
  package func key(for reference: Any, _ entity: NSEntityDescription) -> Int64 {
    if let number = Self.number(reference) { return number }
    // Whole numbers become Int64, so that equal numbers of different types have the same key.
    guard let hashable = Self.wholeNumber(reference).map(AnyHashable.init) ?? reference as? AnyHashable else {
      raise(.invalidArgument, "A reference object must be hashable; this is \(reference), a \(type(of: reference)).")
    }
    let name = Name(rootName: entity.layout.rootName, reference: hashable)
    lock.lock()
    defer { lock.unlock() }
    if let known = keys[name] { return known }
    let key = Self.firstInterned + Int64(references.count)
    references.append(reference)
    keys[name] = key
    let text = Text(rootName: name.rootName, text: "\(reference)")
    if keysByText[text] == nil { keysByText[text] = key }
    return key
  }

  /// Returns the reference object of a key, as the store gave it; a number as NSNumber.
  package func reference(for key: Int64) -> Any {
    guard key >= Self.firstInterned else { return NSNumber(value: key) }
    lock.lock()
    defer { lock.unlock() }
    let index = Int(key - Self.firstInterned)
    guard references.indices.contains(index) else {
      raise(
        .invalidArgument,
        "Cannot retrieve referenceObject from an objectID that was not created by this store: \(key)")
    }
    return references[index]
  }

  /// Returns the text that represents a key in a URI.
  package func text(for key: Int64) -> String {
    guard key >= Self.firstInterned else { return String(key) }
    let text = "\(reference(for: key))"
    return text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? text
  }

  /// Returns the key that such a text stands for: the key of a known reference object with this text, else the key of the
  /// text as a number or a string.
  package func key(text: String, _ entity: NSEntityDescription) -> Int64 {
    let plain = text.removingPercentEncoding ?? text
    lock.lock()
    let known = keysByText[Text(rootName: entity.layout.rootName, text: plain)]
    lock.unlock()
    if let known { return known }
    if let number = Int64(plain), number > 0, number < Self.firstInterned { return number }
    return key(for: plain, entity)
  }

  private static let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))

  private static func number(_ reference: Any) -> Int64? {
    wholeNumber(reference).flatMap { $0 > 0 && $0 < firstInterned ? $0 : nil }
  }

  private static func wholeNumber(_ reference: Any) -> Int64? {
    switch reference {
    case let value as Int: Int64(value)
    case let value as any FixedWidthInteger: Int64(exactly: value)
    case let value as NSNumber: Int64(exactly: value.doubleValue) == value.int64Value ? value.int64Value : nil
    default: nil
    }
  }
}
