import Foundation
import OpenCocoaFoundation

// Rows that an object handler gives. There is one object, which the handler fills in for each row.
extension BatchRows {
  /// Returns the object to fill in, with the entity's default values.
  package func emptyObject() -> NSManagedObject {
    let object = object ?? ManagedInstance.make(layout)
    self.object = object
    if let changes = object.changes { changes.reset(to: layout.defaults) } else { _ = object.writableChanges() }
    object.relations = nil
    // In this state, setters only store the value: there is no event, undo or notification.
    object.state.formUnion([.filledIn, .inEvent, .changedInEvent])
    return object
  }

  package func read(_ object: NSManagedObject) throws {
    let given = object.writableChanges()
    try values.withUnsafeMutableBufferPointer { values in
      for place in places.indices {
        let index = places[place]
        // A value that equals the default value counts as not given, because the two cannot be told apart.
        if given.hasValue(at: index, otherThan: layout.defaults[index]) {
          givenBy[index] = count
          values[index] = given[index]
          if case .transformed = values[index] { values[index] = try Self.encoded(values[index], attributes[place]) }
        } else {
          values[index] = defaults[index]
        }
      }
    }
    for slot in relationships where isRelated(object, slot) {
      throw error(
        NSManagedObjectValidationError, slot.name,
        "\(slot.name) of \(layout.name) is a relationship, which a batch insert cannot set.")
    }
  }

  private func isRelated(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
    if slot.kind == .toMany {
      return (object.relations?.states[slot.relationIndex] as? ToManyState)?.hasChanges == true
    }
    guard let value = object.changes?.values[slot.index] else { return false }
    return !value.isNull && !value.isUnset
  }
}
