import Foundation
import OpenCocoaFoundation

/// A pending change of one object, with old and new values.
struct LookedChange: Encodable, Sendable {
  enum Kind: String, Encodable, Sendable { case inserted, updated, deleted }
  struct Value: Encodable, Sendable {
    let property: String
    /// Nil for no value, and where `oldIsUnknown`.
    var old: String?
    var new: String?
    /// Whether the row has not been read: a fault would fire.
    var oldIsUnknown: Bool?
  }

  let object: String
  let entity: String
  let kind: Kind
  let values: [Value]
}

struct LookedChanges: Encodable, Sendable {
  var busy: String?
  var changes: [LookedChange] = []
  /// The number of all changed objects.
  var count = 0
}

/// Reads the pending changes of a context on its queue, from what the objects have: nothing is read from a store.
enum PendingLook {
  static func changes(_ context: NSManagedObjectContext, limit: Int) -> LookedChanges {
    var result = LookedChanges()
    for object in context.changed {
      guard let kind = kind(of: object) else { continue }
      result.count += 1
      guard result.changes.count < limit else { continue }
      result.changes.append(
        LookedChange(
          object: LookedValue.name(of: object), entity: object.layout.name, kind: kind,
          values: kind == .deleted ? [] : values(object, isNew: kind == .inserted)))
    }
    return result
  }

  /// What is pending for an object; nil for one that was inserted and deleted again, or has not changed.
  static func kind(of object: NSManagedObject) -> LookedChange.Kind? {
    let state = object.state
    if state.contains(.inaccessible) { return nil }
    if state.contains(.deleted) { return state.contains(.inserted) ? nil : .deleted }
    if state.contains(.inserted) { return .inserted }
    return state.contains(.updated) ? .updated : nil
  }

  private static func values(_ object: NSManagedObject, isNew: Bool) -> [LookedChange.Value] {
    var values: [LookedChange.Value] = []
    for slot in object.layout.slots where slot.kind != .composite {
      if slot.kind == .toMany {
        if let value = members(object, slot) { values.append(value) }
        continue
      }
      guard let changes = object.changes, !changes.values[slot.index].isUnset else { continue }
      let new = changes.values[slot.index]
      var value = LookedChange.Value(property: slot.name, new: LookedValue.text(of: new, slot))
      if !isNew, !slot.isTransient {
        if let row = object.snapshot {
          value.old = LookedValue.text(of: LookedValue.stored(slot, row), slot)
        } else {
          value.oldIsUnknown = true
        }
      }
      if value.oldIsUnknown == true || value.old != value.new { values.append(value) }
    }
    return values
  }

  private static func members(_ object: NSManagedObject, _ slot: PropertySlot) -> LookedChange.Value? {
    guard let state = object.relations?.toMany(slot.relationIndex), state.hasChanges else { return nil }
    func list(_ sign: String, _ objects: Set<NSManagedObject>) -> [String] {
      let names = objects.prefix(20).map { sign + LookedValue.name(of: $0) }.sorted()
      return objects.count > 20 ? names + ["\(sign)\(objects.count - 20) more"] : names
    }
    let parts = list("+ ", state.added) + list("- ", state.removed)
    var value = LookedChange.Value(
      property: slot.name, new: parts.isEmpty ? "another order" : parts.joined(separator: ", "))
    if let keys = state.keys { value.old = "\(keys.keys.count) members" } else { value.oldIsUnknown = true }
    return value
  }
}
