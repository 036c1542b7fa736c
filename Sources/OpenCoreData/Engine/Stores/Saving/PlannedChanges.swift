/// The stored properties that some objects of an entity have changed.
package struct PlannedChanges {
  package let layout: EntityLayout
  /// The places of the slots of these properties, ascending.
  package let places: ContiguousArray<Int>

  package init(_ object: NSManagedObject) {
    layout = object.layout
    places = ContiguousArray(
      layout.writtenPlaces.filter { [layout] in object.changedValue(layout.slots[$0], untracked: true) != nil })
  }

  /// Returns whether an object is of the entity and has changed exactly these properties.
  package func areThose(of object: NSManagedObject) -> Bool {
    guard layout === object.layout else { return false }
    guard let changes = object.changesReference else { return places.isEmpty }
    var next = 0
    // Compared by index, because copying a slot is expensive.
    for position in layout.writtenIndexes.indices {
      let index = layout.writtenIndexes[position]
      if changes.read({ $0.isUnset(at: index) }) { continue }
      let place = layout.writtenPlaces[position]
      guard object.changedValue(layout.slots[place], untracked: true) != nil else { continue }
      guard next < places.count, places[next] == place else { return false }
      next += 1
    }
    return next == places.count
  }
}
