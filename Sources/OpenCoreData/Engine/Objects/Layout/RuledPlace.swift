/// A slot that the model alone may find invalid.
package struct RuledPlace {
  /// Where it is among the layout's slots.
  let place: Int
  /// In an object's values, for a date of which no more is asked than that it is one; else -1.
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
  /// Whether every date, and none, is a valid value.
  fileprivate var isMereDate: Bool {
    kind == .date && property.isOptional && property.storedValidationPredicates.isEmpty && attribute.limits.isEmpty
  }
}

extension NSManagedObject {
  /// Whether a date that was set is seen to be one without a closer look.
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
