import Foundation
import OpenCocoaFoundation
import Synchronization

// Transformable attributes: a row has bytes, which all contexts share; each object decodes them for itself, when the
// attribute is first read, and keeps what it made.
extension NSManagedObject {
  /// The value of a transformable attribute, or the reason why there is none although the row has one.
  ///
  /// Bytes that cannot be decoded here, because the program lacks the class or the transformer, or because they are
  /// damaged, stay in the store as they are; `value(forKey:)` is nil for them. For any other key it is
  /// `value(forKey:)`. Not in Apple's framework.
  /// - Throws: 4864 for an archive that is damaged or holds a class that cannot be decoded, 134060 for whatever else a
  ///   transformer does not decode; entity, attribute and class are in the text and under these names in the userInfo.
  public final func transformedValue(forKey key: String) throws -> Any? {
    checkQueue(key)
    guard let slot = layout.slot(named: key), slot.kind == .transformable else { return value(forKey: key) }
    let value = transformed(slot)
    if let value, let problem = value.problem { throw decodingError(problem, value, slot) }
    return value?.object
  }

  /// The value, or nil and a line in the log for what cannot be decoded.
  package final func transformedValue(_ slot: PropertySlot) -> Any? {
    let value = transformed(slot)
    if let value, let problem = value.problem {
      UndecodableAttributes.note("\(layout.name).\(slot.name)") {
        decodingError(problem, value, slot).localizedDescription
      }
    }
    return value?.object
  }

  /// A value as `value(forKey:)` gives it; nothing is logged. Not for relationships and composites.
  package final func boxed(_ value: StoredValue, _ slot: PropertySlot) -> Any? {
    guard slot.kind == .transformable, case .data(let bytes) = value else { return value.boxed(for: slot) }
    return decoded(bytes, slot).object
  }

  /// Whether the row has bytes that cannot be decoded, and no other value was set.
  package final func isUndecodable(_ slot: PropertySlot) -> Bool {
    slot.kind == .transformable && transformed(slot)?.problem != nil
  }

  private final func transformed(_ slot: PropertySlot) -> TransformedValue? {
    switch currentValue(slot) {
    case .transformed(let value): value
    case .data(let bytes): decoded(bytes, slot)
    default: nil
    }
  }

  /// The value that was decoded last, if it came from the same bytes: a new row often has the same bytes as the one
  /// that it replaces.
  private final func decoded(_ bytes: Data, _ slot: PropertySlot) -> TransformedValue {
    if let known = relations?.transformed(slot.relationIndex), known.bytes == bytes { return known }
    let value = TransformedValue(decoding: bytes, slot.attribute)
    relationStates.states[slot.relationIndex] = value
    return value
  }

  // MARK: Saving

  /// Makes the bytes of the transformable attributes that were set.
  /// - Throws: 1550 with the attribute, the value and the transformer's error; of several objects that cannot be encoded
  ///   the first.
  package final func encodeTransformables() throws {
    guard let changes else { return }
    for slot in layout.transformables {
      guard case .transformed(let value) = changes.values[slot.index], let object = value.object else { continue }
      do {
        var encoded = TransformedValue(object, bytes: try slot.attribute.transformedBytes(of: object))
        // An object that is equal to the row's keeps the row's bytes: archives of equal dictionaries may differ.
        if case .data(let old) = committedValue(slot), isUnchanged(encoded, .data(old), slot) {
          encoded = TransformedValue(object, bytes: old)
        }
        changes.values[slot.index] = .transformed(encoded)
        // Once the row has the bytes, the object that was set is still the value for them.
        relationStates.states[slot.relationIndex] = encoded
      } catch {
        throw encodingError(error as NSError, object, slot)
      }
    }
  }

  /// Whether an object that was set equals the row's value.
  package final func isUnchanged(_ new: TransformedValue, _ committed: StoredValue, _ slot: PropertySlot) -> Bool {
    guard case .data(let old) = committed, let object = new.object else { return false }
    if (new.bytes ?? (try? slot.attribute.transformedBytes(of: object))) == old { return true }
    let known = decoded(old, slot)
    // The object is the same but its bytes differ: it was changed in place.
    return !known.isIdentical(to: new) && known.isEqual(to: new)
  }

  /// Makes sure that no value gets lost: a store of rows has no column for an attribute without a type.
  /// - Throws: 1550 with the attribute and the value.
  package final func checkTypelessValues() throws {
    for slot in layout.typeless {
      guard let value = attributeValue(slot) else { continue }
      throw NSError(
        coreData: NSManagedObjectValidationError,
        "The attribute \(slot.name) of \(layout.name) has no type that a store could keep: it must be transient, or nil.",
        [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name, NSValidationValueErrorKey: value])
    }
  }

  // MARK: Errors

  private final func decodingError(_ problem: NSError, _ value: TransformedValue, _ slot: PropertySlot) -> NSError {
    let type = value.bytes.flatMap { try? KeyedArchive($0) }.flatMap { $0.object($0.root)?.className }
    let code = problem.domain == NSCocoaErrorDomain ? problem.code : NSCoreDataError
    return transformationError(
      code, "cannot be decoded", problem, slot, type, [NSAffectedObjectsErrorKey: [self]])
  }

  private final func encodingError(_ problem: NSError, _ value: Any, _ slot: PropertySlot) -> NSError {
    transformationError(
      NSManagedObjectValidationError, "cannot be encoded", problem, slot, "\(type(of: value))",
      [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name, NSValidationValueErrorKey: value])
  }

  private final func transformationError(
    _ code: Int, _ what: String, _ problem: NSError, _ slot: PropertySlot, _ type: String?, _ info: [String: Any]
  ) -> NSError {
    let reason = problem.userInfo[NSDebugDescriptionErrorKey] as? String ?? problem.localizedDescription
    let name = type.map { " of class \($0)" } ?? ""
    var info = info
    info["entity"] = layout.name
    info["attribute"] = slot.name
    info["class"] = type
    info[NSUnderlyingErrorKey] = problem
    return NSError(
      coreData: code,
      "The value\(name) of the transformable attribute \(slot.name) of \(layout.name), object \(objectID), \(what): "
        + reason,
      info)
  }
}

/// The attributes that were reported once.
package enum UndecodableAttributes {
  private static let known = Mutex<Set<String>>([])

  package static func note(_ attribute: String, _ text: () -> String) {
    guard known.withLock({ $0.insert(attribute).inserted }) else { return }
    FrameworkLog.write(text())
  }
}
