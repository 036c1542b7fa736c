import Foundation

// The order of objects whose class tells how their values are read without key-value coding.
extension KeyedSortDescriptor {
  /// The key whose values are compared by a selector; nil for a block, a key path and the objects themselves.
  private var plainKey: String? {
    guard case .key(let key) = source, case .selector = order else { return nil }
    return key
  }

  /// Returns the order of two objects; nil if their values must be read by key-value coding.
  ///
  /// Foundation sorts an array by comparing objects again and again, so this method is called some twenty times an object.
  func placedOrder(of object1: Any, _ object2: Any) -> ComparisonResult? {
    guard let entry = readers.made(for: object1, reader), entry.isFor(object2) else { return nil }
    return entry.read { reader in
      Reference(object1).read { first in Reference(object2).read { order(of: first, $0, reader) } }
    }
  }

  /// Returns the reader of the key for an object; nil if only key-value coding knows its value.
  func reader(for object: any PlacedProperties) -> PropertyReader? {
    guard let plainKey, let reader = object.propertyReader(forKey: plainKey) else { return nil }
    // An unknown selector stops the program, which the general way does.
    if case .text = reader, strings == nil { return nil }
    return reader
  }

  private func order(of first: NSObject, _ second: NSObject, _ reader: PropertyReader) -> ComparisonResult? {
    switch reader {
    case .integer(let read), .real(let read), .date(let read): return SortColumn.order(of: read(first), read(second))
    case .text(let read):
      var result: ComparisonResult?
      let isRead = read(first) { left in
        let isRead = read(second) { result = order(of: left, $0) }
        if !isRead { result = nil }
      }
      return isRead ? result : nil
    case .other(let read):
      guard let left = read(first), let right = read(second) else { return nil }
      return try? order(of: left, right)
    }
  }

  private func order(of left: UnsafeRawBufferPointer?, _ right: UnsafeRawBufferPointer?) -> ComparisonResult? {
    guard let left else { return right == nil ? .orderedSame : .orderedAscending }
    guard let right else { return .orderedDescending }
    if strings == .natural, let order = TextTest.order(of: left, right) { return order }
    return strings?.order(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
  }
}
