/// A slot that the model alone may find invalid.
package struct RuledPlace {
  /// The slot's place among the layout's slots.
  let place: Int
  /// The index, in an object's values, of a date for which the model has no other rule than that it is a valid date; else -1.
  let mereDateIndex: Int

  /// The ruled places of a layout, in the order of its slots.
  static func all(in slots: ContiguousArray<PropertySlot>) -> ContiguousArray<RuledPlace> {
    ContiguousArray(
      slots.indices.lazy.filter { slots[$0].hasRules }.map { place in
        RuledPlace(place: place, mereDateIndex: slots[place].isMereDate ? slots[place].index : -1)
      })
  }
}

extension PropertySlot {
  /// Whether every valid date, and nil, is a valid value.
  fileprivate var isMereDate: Bool {
    kind == .date && property.isOptional && property.storedValidationPredicates.isEmpty && attribute.limits.isEmpty
  }
}

extension NSManagedObject {
  /// Whether the object itself has set a valid date or nil there; false where that takes a closer look.
  @inline(__always)
  final func isDate(at index: Int) -> Bool {
    guard index >= 0, let changes else { return false }
    switch changes.values[index] {
    case .null: return true
    case .double(let seconds): return !seconds.isNaN
    default: return false
    }
  }
}
