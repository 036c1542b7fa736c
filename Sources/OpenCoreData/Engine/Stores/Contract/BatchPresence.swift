import Foundation

/// The properties that a row must have. This is the only rule of the model that a batch insert checks, besides the
/// types of values.
package struct BatchPresence {
  private let attributes: ContiguousArray<PropertySlot>
  private let composites: ContiguousArray<PropertySlot>
  private let dates: ContiguousArray<PropertySlot>
  /// A to-one relationship that every object of the entity must have. A batch insert cannot set it, so that every row fails.
  private let toOne: PropertySlot?

  package init(_ layout: EntityLayout) {
    let slots = layout.slots.filter { !$0.isTransient && !($0.property is NSDerivedAttributeDescription) }
    attributes = ContiguousArray(
      slots.filter { slot in
        !slot.isOptional && !slot.isElement && !slot.kind.isRelationship && slot.kind != .composite
      })
    composites = ContiguousArray(slots.filter { $0.kind == .composite && !$0.isElement })
    dates = ContiguousArray(slots.filter { $0.kind == .date })
    toOne = slots.first { $0.kind == .toOne && !$0.isOptional }
  }

  /// - Throws: 1570 for a missing value, 1650 for an invalid date.
  @inline(__always)
  package func check(_ row: BatchRows) throws {
    for slot in dates {
      guard case .double(let seconds) = row.values[slot.index], seconds.isNaN else { continue }
      throw row.error(
        NSValidationInvalidDateError, slot.name, "\(slot.name) of \(row.layout.name) is not a valid date.")
    }
    for slot in attributes where row.values[slot.index].isMissing { throw missing(slot, row) }
    for slot in composites { _ = try checkComposite(slot, row) }
    if let toOne { throw missing(toOne, row) }
  }

  /// Returns whether any element has a value. If one has, all elements that are not optional must have one.
  private func checkComposite(_ slot: PropertySlot, _ row: BatchRows) throws -> Bool {
    let elements = row.layout.elements(of: slot)
    var absent: PropertySlot?
    var isThere = false
    for element in elements where !element.isTransient {
      let hasValue =
        element.kind == .composite ? try checkComposite(element, row) : !row.values[element.index].isMissing
      if hasValue {
        isThere = true
      } else if absent == nil, !element.isOptional {
        absent = element
      }
    }
    if isThere, let absent { throw missing(absent, row) }
    if !isThere, !slot.isOptional, !slot.isElement { throw missing(slot, row) }
    return isThere
  }

  private func missing(_ slot: PropertySlot, _ row: BatchRows) -> NSError {
    row.error(
      NSValidationMissingMandatoryPropertyError, slot.name,
      "\(slot.name) of \(row.layout.name) is a required value.")
  }
}

extension StoredValue {
  /// Whether SQLite stores NULL for the value.
  fileprivate var isMissing: Bool {
    switch self {
    case .unset, .null: true
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}
