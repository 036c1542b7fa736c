import Foundation
import OpenCocoaFoundation

/// The values of a row as conflicts show them. They are made when they are asked for, since a save may find thousands of
/// conflicts.
final class RowDictionary {
  private let row: Snapshot?
  private let entity: NSManagedObject?
  private let isInserted: Bool
  private let given: [String: Any]?

  init(_ given: [String: Any]?) { (self.given, row, entity, isInserted) = (given, nil, nil, false) }

  /// - Parameter object: the object whose row it is, or another one of the same entity.
  init(_ row: Snapshot?, of object: NSManagedObject) {
    (given, self.row, entity, isInserted) = (nil, row, row == nil ? nil : object, false)
  }

  /// The initial values of a new object.
  init(insertedAs object: NSManagedObject) { (given, row, entity, isInserted) = (nil, nil, object, true) }

  var values: [String: Any]? {
    if let given { return given }
    guard let entity else { return nil }
    return entity.values { [row] slot in
      if let row { return StoredValue.read(slot, from: row) }
      return slot.kind == .toOne ? .null : entity.layout.defaults[slot.index]
    } member: { [row] slot in
      row.flatMap { entity.storedMemberID(slot, $0) }
    }
  }

  /// The values as text in the order of their names, without secret values.
  static func text(_ values: [String: Any], of entity: NSEntityDescription) -> String {
    let secret = Set(entity.attributesByName.lazy.filter { $0.value.isSecret }.map(\.key))
    let texts = values.sorted { $0.key < $1.key }.map { name, value in
      "\(name) = \(isNull(value) ? "<null>" : secret.contains(name) ? SecretAttributes.redacted : ValueText.of(value)); "
    }
    return "{\(texts.joined())}"
  }
}

extension NSManagedObject {
  /// A dictionary of attributes and IDs of to-one relationships, with NSNull in place of nil.
  fileprivate final func values(
    _ value: (PropertySlot) -> StoredValue, member: (PropertySlot) -> NSManagedObjectID?
  ) -> [String: Any] {
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement && slot.kind != .toMany {
      switch slot.kind {
      case .toOne: result[slot.name] = member(slot) ?? NSNull()
      case .composite: result[slot.name] = composite(slot) { Self.decoded(value($0), $0) } ?? NSNull()
      default: result[slot.name] = Self.decoded(value(slot), slot) ?? NSNull()
      }
    }
    return result
  }

  /// A value that was decoded here belongs to another row than the object's own, so the object does not keep it.
  private static func decoded(_ value: StoredValue, _ slot: PropertySlot) -> Any? {
    guard slot.kind == .transformable, case .data(let bytes) = value else { return value.boxed(for: slot) }
    return TransformedValue(decoding: bytes, slot.attribute).object
  }

  /// The ID of the member that a row names; no object is made for it.
  final func storedMemberID(_ slot: PropertySlot, _ row: Snapshot) -> NSManagedObjectID? {
    guard !row.isNull(slot.index), row.int(slot.index) > 0, let destination = slot.destination else { return nil }
    let number = slot.entityIndex >= 0 && !row.isNull(slot.entityIndex) ? Int(row.int(slot.entityIndex)) : nil
    let store = table?.store
    let layout = number.flatMap { store?.layout(number: $0, asked: destination.layout) } ?? destination.layout
    return NSManagedObjectID(entity: layout.entity, store: store, key: row.int(slot.index))
  }
}
