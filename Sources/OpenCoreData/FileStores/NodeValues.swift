import Foundation
import OpenCocoaFoundation

// Converts attribute values between nodes and files.
extension PropertySlot {
  /// Whether files have a value for the slot. They have the elements of a composite attribute, not the attribute itself.
  var isInFiles: Bool { !isTransient && kind != .composite }
}

extension EntityLayout {
  var slotsInFiles: [PropertySlot] { slots.filter(\.isInFiles) }
}

extension NSAtomicStoreCacheNode {
  /// Returns an attribute's value in the form that rows have. For a transformable attribute, these are its bytes.
  /// - Throws: the error of the attribute's transformer.
  final func stored(_ slot: PropertySlot) throws -> StoredValue {
    try objectID.entity.layout.storedValue(of: slot) { value(forKey: $0.name) }
  }

  /// Sets an attribute to a value from a file.
  final func setStored(_ value: StoredValue, _ slot: PropertySlot) {
    guard slot.isElement else { return setValue(object(value, slot), forKey: slot.name) }
    let names = slot.name.keysOfPath
    let values = self.value(forKey: names[0]) as? [String: Any] ?? [:]
    setValue(Self.adding(object(value, slot), at: names.dropFirst(), to: values), forKey: names[0])
  }

  private final func object(_ value: StoredValue, _ slot: PropertySlot) -> Any? {
    guard slot.kind == .transformable, case .data(let bytes) = value else { return value.boxed(for: slot) }
    let decoded = TransformedValue(decoding: bytes, slot.attribute)
    // Bytes that cannot be decoded are kept, so that they can be saved again.
    return decoded.object ?? decoded
  }

  private static func adding(_ value: Any?, at path: ArraySlice<String>, to values: [String: Any]) -> [String: Any] {
    guard let name = path.first else { return values }
    var values = values
    values[name] =
      path.count == 1 ? value : adding(value, at: path.dropFirst(), to: values[name] as? [String: Any] ?? [:])
    return values
  }
}
