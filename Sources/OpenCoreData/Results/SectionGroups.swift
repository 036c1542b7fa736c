import Foundation
import OpenCocoaFoundation

// Sections by one statement that groups rows, without reading any.
extension FetchRun {
  /// The section names of a fetch with the number of objects of each, in order, without objects that have pending changes.
  ///
  /// Nil if only the objects can tell: with a limit, unless there is exactly one store and it counts groups, unless the key
  /// path is the first sort key and an attribute of the entity or of an object that to-one relationships lead to, and if such
  /// objects or a context above have changes.
  ///
  /// It reads in the transaction of the fetch, so it sees the same rows.
  /// - Parameter pending: the context's own changed objects of the fetch's entity.
  func sectionGroups(
    _ fetch: TrackedFetch, _ keyPath: String, without pending: ContiguousArray<NSManagedObject> = []
  ) throws -> [(name: SectionName, count: Int)]? {
    guard context.changed.isEmpty || !keyPath.contains("."), !context.ancestors.haveChanges, fetch.target.limit == 0,
      fetch.target.offset == 0,
      let first = fetch.target.sortDescriptors.first, first.key == keyPath, first.selector == "compare:",
      !fetch.target.layout.hasAccessors(along: keyPath),
      let attribute = fetch.target.layout.entity.attribute(atKeyPath: keyPath), attribute.makesNames
    else { return nil }
    let stores = try context.requiredCoordinator().persistentStores.filter { store in
      store.holds(fetch.target.layout.entity) && context.reads.sees(store)
        && fetch.affectedStores?.contains { $0 === store } ?? true
    }
    guard stores.count == 1, stores[0].can(.grouping), let store = stores[0] as? any GroupingStore else { return nil }
    var target = fetch.target
    let hidden = PendingChanges(own: pending, above: nil).hiddenKeys(in: store)
    if !hidden.isEmpty { target.rows = .without(hidden) }
    var groups: [(name: SectionName, count: Int)] = []
    try store.countGroups(target, by: keyPath, of: attribute, first, transaction: context.reads.transaction(on: store))
    {
      value, count in
      let name = SectionName(value: value)
      // NULL and an empty text are the same section name.
      if groups.last?.name == name {
        groups[groups.count - 1].count += count
      } else {
        groups.append((name, count))
      }
    }
    return groups
  }
}

extension EntityLayout {
  /// Whether a class of the model has a custom accessor for one of the keys: its result is only known from the objects.
  fileprivate func hasAccessors(along keyPath: String) -> Bool {
    let keys = keyPath.keysOfPath
    return entity.managedObjectModel.entities.contains { entity in
      keys.contains { entity.layout.listed.accessors[$0] != nil }
    }
  }
}

extension NSEntityDescription {
  /// The stored attribute that a key path through to-one relationships leads to.
  fileprivate func attribute(atKeyPath keyPath: String) -> NSAttributeDescription? {
    var entity: NSEntityDescription? = self
    var keys = keyPath.split(separator: ".").map(String.init)
    guard let last = keys.popLast() else { return nil }
    for key in keys {
      guard let relationship = entity?.relationshipsByName[key], !relationship.isToMany else { return nil }
      entity = relationship.destinationEntity
    }
    guard let attribute = entity?.attributesByName[last], !attribute.isTransient else { return nil }
    return attribute
  }
}

extension NSAttributeDescription {
  /// Whether the values make legible section names, and stores group them in the same way as the names.
  fileprivate final var makesNames: Bool {
    switch attributeType {
    case .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .dateAttributeType:
      true
    default: false
    }
  }
}
