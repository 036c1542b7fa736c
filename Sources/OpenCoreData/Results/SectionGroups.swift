import Foundation
import OpenCocoaFoundation

// Sections by one statement that groups rows; no row is read.
extension FetchRun {
  /// Returns the section names of a fetch in order, with the number of objects of each, without pending objects.
  ///
  /// Returns nil if the sections can be found only from the objects:
  /// - if the fetch has a limit or an offset;
  /// - if there is not exactly one store, or the store cannot count groups;
  /// - if the key path is not the first sort key, or leads to no stored attribute, directly or through to-one
  ///   relationships;
  /// - if a class of the model has a custom accessor for a key of the key path;
  /// - if a context above has changes, or the context has changes and the key path leads through relationships.
  ///
  /// The statement runs in the transaction that the fetch has begun, so that it counts the same rows.
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
      // NULL and an empty text are the same name.
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
  /// Whether a class of the model has a custom accessor for one of the keys: only the objects then have the values.
  fileprivate func hasAccessors(along keyPath: String) -> Bool {
    let keys = keyPath.keysOfPath
    return entity.managedObjectModel.entities.contains { entity in
      keys.contains { entity.layout.listed.accessors[$0] != nil }
    }
  }
}

extension NSEntityDescription {
  /// Returns the stored attribute that a key path through to-one relationships leads to.
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
  /// Whether the values make names that people can read, and stores group the values in the same way as their texts.
  fileprivate final var makesNames: Bool {
    switch attributeType {
    case .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .dateAttributeType:
      true
    default: false
    }
  }
}
