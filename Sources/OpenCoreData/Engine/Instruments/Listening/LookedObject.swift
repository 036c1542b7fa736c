import Foundation
import OpenCocoaFoundation

/// Stands for an object while a predicate is evaluated: gives the values that are in memory, and throws where a fault would fire.
final class LookedObject: NSObject, NSKeyValueCoding {
  /// Thrown in place of firing a fault.
  struct MissingValue: Error { let words: String }

  /// Nil for an object that its context does not have: none of its values is there.
  private let object: NSManagedObject?
  private let entity: String
  private let key: Int64

  init(_ object: NSManagedObject) { (self.object, entity, key) = (object, object.layout.name, object.key) }

  private init(_ entity: String, _ key: Int64) { (object, self.entity, self.key) = (nil, entity, key) }

  private var name: String { LookedValue.name(entity, key) }

  override func isEqual(_ other: Any?) -> Bool {
    guard let other = other as? LookedObject else { return false }
    if let object, let second = other.object { return object === second }
    return key == other.key && entity == other.entity
  }

  override var hash: Int { key.hashValue }

  func value(forKey key: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try present(key) }
  }

  /// The value without firing a fault.
  private func present(_ key: String) throws -> Any? {
    guard let object else { throw MissingValue(words: "\(name), for \(key)") }
    guard let slot = object.layout.slot(named: key) else {
      throw OCDEvaluationError(
        "\"\(key)\" is no property of \(entity) in the model. A look evaluates stored values alone.",
        exception: .undefinedKey)
    }
    // A predicate could guess the value, letter by letter, and an error could quote it.
    if slot.property.hasSecretValues {
      throw OCDEvaluationError(
        "\"\(key)\" of \(entity) has secret values, which a look does not read.", exception: .undefinedKey)
    }
    switch slot.kind {
    case .toMany: return try members(object, slot)
    case .toOne:
      if let member = object.relations?.member(slot.relationIndex) { return LookedObject(member) }
      switch try stored(object, slot) {
      case .object(let member): return LookedObject(member)
      case .int(let number): return member(object, slot, number)
      default: return nil
      }
    case .composite, .transformable, .anything:
      throw OCDEvaluationError(
        "\"\(key)\" of \(entity) is \(slot.kind == .composite ? "composite" : "transformable"), which a look does not read.",
        exception: .undefinedKey)
    default: return try stored(object, slot).boxed(for: slot)
    }
  }

  private func stored(_ object: NSManagedObject, _ slot: PropertySlot) throws -> StoredValue {
    if let value = object.changes?.values[slot.index], !value.isUnset { return value }
    if object.isUnread { throw MissingValue(words: "\(name), for \(slot.name)") }
    if slot.isTransient { return object.layout.defaults[slot.index] }
    guard let row = object.snapshot else { return .null }
    if row.isNull(slot.index), slot.allowsExternalFile, row.unread(slot.index) != nil {
      throw MissingValue(words: "\(name), for the file of \(slot.name)")
    }
    return LookedValue.stored(slot, row)
  }

  private func members(_ object: NSManagedObject, _ slot: PropertySlot) throws -> Any {
    let state = object.relations?.toMany(slot.relationIndex)
    if let members = state?.members { return collected(members.map { LookedObject($0) }, slot) }
    guard let state, let keys = state.keys else {
      // A new object without a list has no members.
      if object.state.contains(.hasNoRow) { return collected((state?.added ?? []).map { LookedObject($0) }, slot) }
      throw MissingValue(words: "\(name).\(slot.name)")
    }
    let removed = Set(state.removed.map(\.key)), added = state.added.map { LookedObject($0) }
    return collected(keys.keys.filter { !removed.contains($0) }.map { member(object, slot, $0) } + added, slot)
  }

  private func collected(_ members: [LookedObject], _ slot: PropertySlot) -> Any {
    slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
  }

  /// The registered object with that key, or what stands for one that is not registered.
  private func member(_ object: NSManagedObject, _ slot: PropertySlot, _ key: Int64) -> LookedObject {
    let store = key > 0 ? object.table?.store : nil
    guard let destination = slot.destination, let context = object.table?.context,
      let map = context.identityMaps.family(of: store)?.known(destination.layout.rootNumber),
      let found = map.object(key)
    else { return LookedObject(slot.destination?.name ?? "", key) }
    return LookedObject(found)
  }
}
